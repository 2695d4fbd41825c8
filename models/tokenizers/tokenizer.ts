import { join, resolve } from 'node:path'
import { readFile, exists } from '../../cache/files/read.ts'
import { digestJson, digestOf, type Digest } from '../../cache/values/digest.ts'
import { userFolder } from '../../cache/files/home-folder.ts'

/** Counts and cuts text as a deployment's tokenizer does (HELM.md M3). */
export interface Tokenizer {
  count(text: string): number
  /** The text of the first `limit` tokens, decoded as HELM decodes it. */
  head(text: string, limit: number): string
  /** Texts of the tokens, each decoded by itself as HELM does; undefined for text that the original refuses. */
  tokens(text: string): readonly string[] | undefined
  /** True where decoding all tokens gives the text itself, and a text has no more tokens than bytes. */
  readonly faithful: boolean
}

/** What of a deployment names its tokenizer. */
export interface TokenizerOf {
  readonly tokenizerName?: string
  /** Files of a tokenizer that is not built in. */
  readonly tokenizerFiles?: TokenizerFiles
}

const BUILT_IN: ReadonlyMap<string, () => Promise<Tokenizer>> = new Map<string, () => Promise<Tokenizer>>([
  ['openai/cl100k_base', () => openAiTokenizer('cl100k_base')],
  ['openai/o200k_base', () => openAiTokenizer('o200k_base')],
  ['simple/tokenizer1', () => Promise.resolve(CODE_POINTS)],
])

export const isBuiltIn = (name: string): boolean => BUILT_IN.has(name)

/** True where `loadTokenizer` would give one; opens no vocabulary. */
export const hasTokenizer = ({ tokenizerName, tokenizerFiles }: TokenizerOf): boolean =>
  tokenizerName !== undefined && (isBuiltIn(tokenizerName) || tokenizerFiles !== undefined)

/**
 * The tokenizer of a deployment; undefined where it names none or one that is not at hand.
 * @throws ProblemError `models/tokenizer` for files that can't be used
 */
export const loadTokenizer = async ({
  tokenizerName,
  tokenizerFiles,
}: TokenizerOf): Promise<Tokenizer | undefined> => {
  if (tokenizerName === undefined) return undefined
  const builtIn = BUILT_IN.get(tokenizerName)
  if (builtIn !== undefined || tokenizerFiles === undefined) return builtIn?.()
  const { fromHuggingFace } = await import('./from-hugging-face.ts')
  return fromHuggingFace(tokenizerName, tokenizerFiles.folder)
}

/** HELM's SimpleTokenizer: one token a code point. */
const CODE_POINTS: Tokenizer = {
  faithful: true,
  count: (text) => lengthOf(text),
  head: (text, limit) => Array.from(text).slice(0, Math.max(0, limit)).join(''),
  tokens: (text) => Array.from(text),
}

/** Texts that tiktoken refuses to encode. */
const SPECIAL = {
  cl100k_base: /<\|(?:endoftext|fim_prefix|fim_middle|fim_suffix|endofprompt)\|>/,
  o200k_base: /<\|(?:endoftext|endofprompt)\|>/,
} as const

/**
 * tiktoken's vocabularies. Text that looks like a special token is plain text where it is counted or cut; tiktoken
 * refuses it and HELM loses the run, and so `tokens` gives none.
 */
const openAiTokenizer = async (name: 'cl100k_base' | 'o200k_base'): Promise<Tokenizer> => {
  // Loaded late: reading a vocabulary costs start-up time.
  const { tiktoken } = await import('../../cache/tokens/tiktoken.ts')
  const exact = tiktoken(name)
  return {
    ...exact,
    faithful: true,
    tokens: (text) => (SPECIAL[name].test(text) ? undefined : exact.tokens(text)),
  }
}

/** An entry of HELM's tokenizer_configs.yaml (HELM.md M1). */
export interface TokenizerConfig {
  readonly name: string
  readonly className: string
  /** A folder relative to the workspace, or a repository of the Hugging Face Hub; the name itself where it is missing. */
  readonly path?: string
  /** Branch, tag or commit of that repository. */
  readonly revision?: string
}

/** A tokenizer's files on this machine. */
export interface TokenizerFiles {
  readonly folder: string
  readonly digest: Digest<'data'>
}

export interface TokenizerPlaces {
  readonly workspace: string
  /** HF_HUB_CACHE, HF_HOME and XDG_CACHE_HOME say where the Hub's cache lies. */
  readonly env: NodeJS.ProcessEnv
}

/**
 * Looks for a tokenizer's files: `models/tokenizers/NAME/` in the workspace, the folder that its entry names, the
 * Hub's cache. Nothing is fetched. Undefined where there are none.
 */
export const findTokenizer = async (
  name: string,
  config: TokenizerConfig | undefined,
  places: TokenizerPlaces,
): Promise<TokenizerFiles | undefined> => {
  if (config !== undefined && !config.className.endsWith('.HuggingFaceTokenizer')) return undefined
  const path = config?.path ?? name
  for (const folder of [
    join(places.workspace, 'models/tokenizers', name),
    resolve(places.workspace, path),
    await cachedFolder(path, config?.revision ?? 'main', places.env),
  ]) {
    if (folder === undefined || !(await exists(join(folder, 'tokenizer.json')))) continue
    return { folder, digest: await folderDigest(folder) }
  }
  return undefined
}

/** The Hub's cache: `models--OWNER--NAME/snapshots/COMMIT/`, the commit in `refs/REVISION`. */
const cachedFolder = async (
  repository: string,
  revision: string,
  env: TokenizerPlaces['env'],
): Promise<string | undefined> => {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) return undefined
  const home = env['HF_HOME'] || join(userFolder(env, 'cache'), 'huggingface')
  const root = join(env['HF_HUB_CACHE'] || join(home, 'hub'), `models--${repository.replace('/', '--')}`)
  const commit = await readFile(join(root, 'refs', revision), 'utf8').catch(() => revision)
  return join(root, 'snapshots', commit.trim())
}

/** Of both files that decide how text is cut. */
const folderDigest = async (folder: string): Promise<Digest<'data'>> => {
  const read = (file: string) => readFile(join(folder, file)).catch(() => '')
  const texts = await Promise.all(['tokenizer.json', 'tokenizer_config.json'].map(read))
  return digestJson<'data'>(texts.map((text) => digestOf<'file'>(text)))
}

/** The request window of a deployment: which prompts fit and how the others are cut. */
export interface Window {
  /** Undefined: any length fits (HELM's no-tokenizer service). */
  readonly maxRequestLength?: number
  readonly tokenizer?: Tokenizer
}

interface Fitted {
  readonly text: string
  readonly truncated: boolean
}

/** True when prompt and answer fit the window. Where bytes bound tokens from above, short prompts need no tokenizer. */
export const fits = (text: string, maxTokens: number, window: Window): boolean => {
  const { maxRequestLength, tokenizer } = window
  if (maxRequestLength === undefined || tokenizer === undefined) return true
  if (tokenizer.faithful && Buffer.byteLength(text) + maxTokens <= maxRequestLength) return true
  return tokenizer.count(text) + maxTokens <= maxRequestLength
}

/**
 * HELM's truncate_from_right (HELM.md M4): cut to the window's tokens, then drop code points until it fits.
 * A text that a tokenizer gives back shorter counts as cut even where it fits; one that is no shorter stays as it was.
 * HELM loops for ever when maxTokens alone exceeds the window; here nothing is left of the prompt then.
 */
export const truncateFromRight = (text: string, maxTokens: number, window: Window): Fitted => {
  const { maxRequestLength, tokenizer } = window
  if (maxRequestLength === undefined || tokenizer === undefined) return { text, truncated: false }
  if (tokenizer.faithful && fits(text, maxTokens, window)) return { text, truncated: false }
  const points = Array.from(tokenizer.head(text, maxRequestLength - maxTokens))
  while (points.length > 0 && tokenizer.count(points.join('')) + maxTokens > maxRequestLength) points.pop()
  return points.length < lengthOf(text)
    ? { text: points.join(''), truncated: true }
    : { text, truncated: false }
}

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}
