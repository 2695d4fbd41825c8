import { join } from 'node:path'
import { readFile } from '../../cache/files/read.ts'
import { ProblemError, reasonOf } from '../../cache/problems/problem.ts'
import { exactParts } from './exact-parts.ts'

/** A tokenizer of Hugging Face's tokenizers, read from its folder. */
export interface HuggingFaceTokenizer {
  /** Ids without the tokens that open or close a text; the text of a special token becomes that token. */
  encode(text: string): number[]
  /** Ids with the tokens that open and close a text, where its post-processor has some. */
  encodeWhole(text: string): number[]
  /** The text of ids with special tokens in it and spaces left as they are (HELM.md M5). */
  decode(ids: readonly number[]): string
  /** The tokens of a text as the vocabulary writes them, such as `Ġthe`. */
  pieces(text: string): readonly string[]
  /** Ids of its special tokens. */
  readonly special: ReadonlySet<number>
  /** tokenizer_config.json: chat_template, eos_token and the like; empty where there is none. */
  readonly config: Readonly<Record<string, unknown>>
}

/** Habits of slow tokenizers that the original's fast ones don't have. */
const PLAIN = {
  remove_space: false,
  do_lowercase_and_remove_accent: false,
  clean_up_tokenization_spaces: false,
}

/**
 * Reads `tokenizer.json` and, where there is one, `tokenizer_config.json`.
 *
 * @throws ProblemError `models/tokenizer` where a file can't be read or asks for what would not be cut exactly
 */
export const loadHuggingFaceTokenizer = async (folder: string): Promise<HuggingFaceTokenizer> => {
  const file = join(folder, 'tokenizer.json')
  const [definition, config] = await Promise.all([
    readObject(file),
    readObject(join(folder, 'tokenizer_config.json'), {}),
  ])
  // Loaded late: no start should pay for it.
  const { Tokenizer } = await import('@huggingface/tokenizers')
  let tokenizer: InstanceType<typeof Tokenizer>
  try {
    tokenizer = new Tokenizer(exactParts(definition, file), { ...config, ...PLAIN })
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw unusable(file, reasonOf(error))
  }
  decodeBytesExactly(tokenizer.decoder)
  const cut = (text: string) => tokenizer.encode(text, { add_special_tokens: false })
  // Characters that a vocabulary without an unknown token lacks have no id; the original leaves them out.
  const known = (ids: readonly (number | undefined)[]) => ids.filter((id) => id !== undefined)
  return {
    config,
    encode: (text) => (text === '' ? [] : known(cut(text).ids)),
    encodeWhole: (text) => known(tokenizer.encode(text).ids),
    decode: (ids) => (ids.length === 0 ? '' : tokenizer.decode([...ids], { skip_special_tokens: false })),
    pieces: (text) => (text === '' ? [] : cut(text).tokens),
    special: new Set(
      [...tokenizer.get_added_tokens_decoder()].filter(([, { special }]) => special).map(([id]) => id),
    ),
  }
}

/**
 * Byte tokens as the original decodes them: a run that is no UTF-8 becomes one U+FFFD a byte, and a byte order mark
 * stays. The library does neither; its parts are functions with properties.
 */
const decodeBytesExactly = (decoder: unknown): void => {
  if (typeof decoder !== 'function') return
  if ('text_decoder' in decoder && !('byte_decoder' in decoder)) decoder.text_decoder = RUNS
  if ('decoders' in decoder && Array.isArray(decoder.decoders)) decoder.decoders.forEach(decodeBytesExactly)
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const RUNS = {
  decode: (bytes: Uint8Array): string => {
    try {
      return strict.decode(bytes)
    } catch {
      return '\ufffd'.repeat(bytes.length)
    }
  },
}

const readObject = async (
  file: string,
  absent?: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch (error) {
    if (absent !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return absent
    throw unusable(file, reasonOf(error))
  }
  throw unusable(file, 'it holds no object')
}

const unusable = (file: string, why: string): ProblemError =>
  new ProblemError({
    code: 'models/tokenizer',
    message: `the tokenizer can't be used: ${why}`,
    where: { file },
    remedy: 'Fetch the file again, or take its folder away: prompts are then sent whole and records say so.',
  })
