import { remembered } from '../../cache/once.ts'
import { loadHuggingFaceTokenizer } from './hugging-face.ts'
import type { Tokenizer } from './tokenizer.ts'

const loaded = new Map<string, Promise<Tokenizer>>()

/**
 * HELM's tokenizer `name` from a folder; each folder is read once.
 * @throws ProblemError `models/tokenizer`
 */
export const fromHuggingFace = (name: string, folder: string): Promise<Tokenizer> =>
  remembered(loaded, JSON.stringify([name, folder]), () => load(name, folder))

const load = async (name: string, folder: string): Promise<Tokenizer> => {
  const tokenizer = await loadHuggingFaceTokenizer(folder)
  const encode = (text: string) => tokenizer.encode(text)
  const decode = (ids: readonly number[]) => tokenizer.decode(ids)
  return {
    faithful: false,
    count: (text) => encode(text).length,
    head: (text, limit) => decode(encode(text).slice(0, Math.max(0, limit))),
    tokens: (text) => {
      const ids = encode(text)
      return tokenizer
        .pieces(text)
        .map((piece, index) => shownPiece(name, piece, () => decode(ids.slice(index, index + 1))))
    },
  }
}

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
