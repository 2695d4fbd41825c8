/** HELM's mark for a text that was taken out (HELM.md F6). */
export const REDACTED = '[redacted]'
