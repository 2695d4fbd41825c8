import { loadHuggingFaceTokenizer } from './hugging-face.ts'
import { shownPiece } from './pieces.ts'
import type { Tokenizer } from './tokenizer.ts'

const loaded = new Map<string, Promise<Tokenizer>>()

/**
 * HELM's tokenizer `name` from a folder; each folder is read once.
 * @throws ProblemError `models/tokenizer`
 */
export const fromHuggingFace = (name: string, folder: string): Promise<Tokenizer> => {
  const id = JSON.stringify([name, folder])
  const tokenizer = loaded.get(id) ?? load(name, folder)
  loaded.set(id, tokenizer)
  return tokenizer
}

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
