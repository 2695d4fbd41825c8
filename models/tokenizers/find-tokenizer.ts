import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { readFile } from '../../cache/files/plain-file.ts'
import { digestJson, digestOf, type Digest } from '../../cache/values/digest.ts'

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
  readonly env: Readonly<Record<string, string | undefined>>
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
  const home = env['HF_HOME'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'huggingface')
  const root = join(env['HF_HUB_CACHE'] ?? join(home, 'hub'), `models--${repository.replace('/', '--')}`)
  const commit = await readFile(join(root, 'refs', revision), 'utf8').catch(() => revision)
  return join(root, 'snapshots', commit.trim())
}

/** Of both files that decide how text is cut. */
const folderDigest = async (folder: string): Promise<Digest<'data'>> => {
  const read = (file: string) => readFile(join(folder, file)).catch(() => '')
  const texts = await Promise.all(['tokenizer.json', 'tokenizer_config.json'].map(read))
  return digestJson<'data'>(texts.map((text) => digestOf<'file'>(text)))
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
