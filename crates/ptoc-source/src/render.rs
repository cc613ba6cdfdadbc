//! Renderers: human text (ariadne) and JSON.
