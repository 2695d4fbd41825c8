export const FORMATS = ['text', 'markdown', 'json', 'junit'] as const

export type OutputFormat = (typeof FORMATS)[number]
