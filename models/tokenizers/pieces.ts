/** HELM's names of tokenizers whose tokens it joins with `▁` read as a space (HELM.md M5). */
const LOW_LINES = new Set([
  'TsinghuaKEG/ice',
  'bigscience/T0pp',
  'google/t5-11b',
  'google/flan-t5-xxl',
  'google/ul2',
  'Yandex/yalm',
  'ai21/j1',
  'together',
])
/** Those whose tokens it decodes one by one. */
const DECODED = new Set(['bigscience/bloom', 'Writer/palmyra-base', 'facebook/opt-66b'])

/** How HELM 0.8 shows one token of the tokenizer that it calls `name`; `decoded` is the token's own text. */
export const shownPiece = (name: string, piece: string, decoded: () => string): string => {
  if (name.includes('gpt') || DECODED.has(name)) return decoded()
  if (LOW_LINES.has(name)) return piece.replaceAll('▁', ' ')
  if (name.startsWith('huggingface') || name === 'anthropic/claude') return piece.replaceAll('Ġ', ' ')
  return piece
}
