/** How results are printed. */
export const FORMATS = ['text', 'markdown', 'json', 'junit'] as const

export type Format = (typeof FORMATS)[number]

export const isFormat = (text: string): text is Format => FORMATS.some((known) => known === text)
