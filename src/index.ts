export type { Checked, Diagnostic, Excerpt, Position, Related, Severity, Span } from "./model/diagnostic.js";
