//! The types of the `pto` dialect.

use super::{COUNT, SHOW_TYPES, Texts, bad, number};
use crate::codes;
use crate::resolve::{Cursor, Read};
use crate::types::*;
use ptoc_ir::{Context, TypeId};
use ptoc_source::{Diagnostic, Span, did_you_mean};
use ptoc_syntax::{Item, ItemKind};
use ptoc_target::Loc;

impl<'t> Texts<'t> {
    pub(super) fn pto(
        &mut self,
        ctx: &mut Context,
        c: &Cursor<'_>,
        head: Span,
        kind: &str,
        args: Option<Item>,
    ) -> Read<TypeId> {
        if let Some(args) = args
            && c.inside(args).at(ItemKind::Ellipsis)
        {
            return Err(Box::new(
                Diagnostic::error(codes::ELIDED_TYPE, head.to(args.span), "the parameters of the type are left out")
                    .note("`<...>` stands for any parameters in the manual; a program names them")
                    .help(format!("write the parameters: `!pto.{kind}<vec, 16x16xf32>`")),
            ));
        }
        if let Some(&(_, d)) = ElemType::NAMES.iter().find(|(n, _)| *n == kind) {
            return Ok(ctx.dialect_ty(ElemType(d)));
        }
        if let Some(&(_, k)) = OpaqueKind::NAMES.iter().find(|(n, _)| *n == kind) {
            return Ok(ctx.dialect_ty(k));
        }
        const KINDS: [&str; 12] = [
            "tile_buf",
            "tile",
            "multi_tile_buf",
            "tensor_view",
            "partition_tensor_view",
            "ptr",
            "vreg",
            "mask",
            "vmi.vreg",
            "vmi.mask",
            "eventid_array",
            "local_array",
        ];
        let unknown = || {
            let d = Diagnostic::error(codes::UNKNOWN_TYPE, head, format!("no type `!pto.{kind}`"));
            let all = KINDS.into_iter().chain(["struct"]).chain(ElemType::NAMES.iter().map(|n| n.0));
            Box::new(match (kind, did_you_mean(kind, all)) {
                ("tile_view", _) => d.help("this is the old name of `!pto.partition_tensor_view`"),
                (_, Some(n)) => d.help(format!("did you mean `!pto.{n}`?")),
                _ => d.help(SHOW_TYPES),
            })
        };
        let Some(args) = args else {
            return Err(if KINDS.contains(&kind) || kind == "struct" {
                bad(head, format!("`!pto.{kind}` needs parameters in `<...>`"))
            } else {
                unknown()
            });
        };
        let mut c = c.inside(args);
        let ty = match kind {
            "tile_buf" => self.tile(ctx, &mut c, TileForm::Buffer, args.span, None)?.0,
            "tile" => self.tile(ctx, &mut c, TileForm::Value, args.span, None)?.0,
            "multi_tile_buf" => self.multi_tile(ctx, &mut c, args.span)?,
            "tensor_view" | "partition_tensor_view" => {
                let (dims, elem) = self.shaped(ctx, &mut c)?;
                let kind = if kind == "tensor_view" { ViewKind::Tensor } else { ViewKind::Partition };
                ctx.dialect_ty(ViewType { kind, dims: dims.into(), elem })
            }
            "ptr" => {
                let elem = self.detail(ctx, &mut c)?;
                let mut space = Loc::Gm;
                if c.eat(ItemKind::Comma).is_some() {
                    let span = c.here();
                    let word = self.word(&mut c)?;
                    space = Loc::from_keyword(word)
                        .ok_or_else(|| bad(span, format!("no pointer space `{word}`")).help_spaces())?;
                }
                ctx.dialect_ty(PtrType { elem, space })
            }
            "vreg" | "vmi.vreg" => {
                let span = c.here();
                let (dims, elem) = self.shaped(ctx, &mut c)?;
                let lanes = one_dim(self.text(span), &dims, span)?;
                if kind == "vreg" {
                    ctx.dialect_ty(VRegType { lanes, elem })
                } else {
                    let layout = self.extra(ctx, &mut c)?;
                    ctx.dialect_ty(VmiVRegType { lanes, elem, layout })
                }
            }
            "mask" => {
                let span = c.here();
                let word = self.word(&mut c)?;
                let bits = mask_bits(word).filter(|&b| b > 0);
                let bits =
                    bits.ok_or_else(|| bad(span, format!("no predicate width `{word}`; it is b8, b16 or b32")))?;
                ctx.dialect_ty(MaskType { bits })
            }
            "vmi.mask" => {
                let span = c.here();
                let lanes =
                    u32::try_from(self.int(span)?).map_err(|_| number(self.text(span), span, "lane count", COUNT))?;
                c.bump();
                c.eat(ItemKind::Cross).ok_or_else(|| c.expected("`x`"))?;
                let span = c.here();
                let word = self.word(&mut c)?;
                let bits = mask_bits(word).ok_or_else(|| bad(span, format!("no predicate granularity `{word}`")))?;
                let layout = self.extra(ctx, &mut c)?;
                ctx.dialect_ty(VmiMaskType { lanes, bits, layout })
            }
            "eventid_array" => {
                let span = c.here();
                let count =
                    u32::try_from(self.int(span)?).map_err(|_| number(self.text(span), span, "count", COUNT))?;
                c.bump();
                ctx.dialect_ty(EventIdArrayType { count })
            }
            "local_array" => {
                let (dims, elem) = self.shaped(ctx, &mut c)?;
                ctx.dialect_ty(LocalArrayType { dims: dims.into(), elem })
            }
            "struct" => {
                let mut fields = Vec::new();
                if !c.is_done() {
                    self.type_list(ctx, &mut c, &mut fields)?;
                }
                let fields: Box<[TypeId]> = fields.into_iter().map(|(t, _)| t).collect();
                ctx.dialect_ty(StructType { fields })
            }
            _ => return Err(unknown()),
        };
        if !c.is_done() {
            return Err(bad(c.here(), format!("unexpected text in `!pto.{kind}<...>`")));
        }
        Ok(ty)
    }

    pub(super) fn word(&self, c: &mut Cursor<'_>) -> Read<&'t str> {
        match c.peek() {
            Some(i) if i.kind == ItemKind::Word => {
                c.bump();
                Ok(self.text(i.span))
            }
            Some(i) if i.kind == ItemKind::Str => {
                c.bump();
                Ok(self.text(i.span).trim_matches('"'))
            }
            _ => Err(c.expected("a word")),
        }
    }
}

trait HelpSpaces {
    fn help_spaces(self) -> Box<Diagnostic>;
}

impl HelpSpaces for Box<Diagnostic> {
    fn help_spaces(self) -> Box<Diagnostic> {
        Box::new(self.note(
            "pointer spaces: gm, l1 (mat), l0a (left), l0b (right), l0c (acc), ub (vec), bt (bias), fb (scaling)",
        ))
    }
}

fn one_dim(text: &str, dims: &[i64], span: Span) -> Read<u32> {
    match dims {
        [n] => u32::try_from(*n).map_err(|_| number(text, span, "lane count", COUNT)),
        _ => Err(bad(span, "a vector register has one dimension")),
    }
}

fn mask_bits(word: &str) -> Option<u32> {
    Some(match word {
        "b8" => 8,
        "b16" => 16,
        "b32" => 32,
        "pred" => 0,
        _ => return None,
    })
}
