//! Mask, mask mode and the other registers that vector instructions take along when they are issued.

use super::super::registers::{scalar, word};
use super::super::{Intrinsic, MaskMode};
use ptoc_target::DType;

pub(in super::super) const STATE: &[Intrinsic] = &[
    scalar("set_deqscale", |core, args| {
        core.spr.deqscale = args.scalar(0, DType::F16)?;
        Ok(())
    }),
    scalar("set_mask_count", |core, _| {
        core.spr.mask_mode = MaskMode::Count;
        Ok(())
    }),
    scalar("set_mask_norm", |core, _| {
        core.spr.mask_mode = MaskMode::Norm;
        Ok(())
    }),
    scalar("set_vector_mask", |core, args| {
        let (mut high, mut low) = (0, 0);
        word(args, &mut high)?;
        low += args.int(1)? as u64;
        core.spr.mask = u128::from(high) << 64 | u128::from(low);
        Ok(())
    }),
];
