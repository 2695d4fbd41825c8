/** Every interval that is told holds its figure with this confidence, unless it says another. */
export const CONFIDENCE = 0.95
/** A two-sided p below it, adjusted where several are looked at together, is called a difference. */
export const ALPHA = 0.05
