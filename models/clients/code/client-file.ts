import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join, parse } from 'node:path'
import { readFileSync } from '../../../cache/files/read.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { CODE_ENDINGS, codeEntry } from '../../../cache/user-code/code-entry.ts'
import { codeFiles } from '../../../cache/user-code/code-files.ts'
import type { ModelDeployment } from '../../deployment/model.ts'
import { noUrl, textArgument } from '../chat/server-of.ts'

/** Start of the class names of a workspace's own clients. */
export const WORKSPACE_CLIENTS = 'workspace.clients.'

/** Name of a workspace's client; undefined for any other class. */
export const clientName = (className: string): string | undefined =>
  className.startsWith(WORKSPACE_CLIENTS) ? className.slice(WORKSPACE_CLIENTS.length) : undefined

/** Its file; undefined where there is none. @throws those of `codeEntry` */
export const clientFile = (workspace: string, name: string): string | undefined =>
  /^[\w-]+$/.test(name) ? codeEntry(join(workspace, 'models', 'clients'), name) : undefined

/** Model string of a deployment of the workspace's own client. */
export const codeModel = ({ client, name }: ModelDeployment): string =>
  textArgument(client.args, 'model') ?? name

/**
 * Where such a client sends requests: what the data agreements go by. @throws ProblemError `models/no-url`
 */
export const codeUrl = (deployment: ModelDeployment): string => {
  const url = textArgument(deployment.client.args, 'base_url')
  // `localhost:8000` is one to the letter, of no host. It may be of any protocol.
  if (url?.includes('://') === true && URL.canParse(url)) return url
  throw noUrl(deployment, url, 'Add base_url to its args: data agreements and medmake doctor go by it.')
}

/** Files of the workspace's clients that none of these classes names, and no client imports. */
export const unnamedClients = (workspace: string, classes: readonly string[]): readonly string[] => {
  const folder = join(workspace, 'models', 'clients')
  // What medmake itself asks servers with.
  if (workspace === packageRoot() || !existsSync(folder)) return []
  const files = readdirSync(folder)
    .filter((name) => CODE_ENDINGS.some((ending) => name.endsWith(ending)) && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))
  const isClient = (file: string): boolean => /\bexport\b[^;]*?\bclient\b/.test(readFileSync(file, 'utf8'))
  const used = new Set(
    files.filter(isClient).flatMap((file) => codeFiles(file).filter((each) => each !== realpathSync(file))),
  )
  return files.filter(
    (file) => !classes.includes(`${WORKSPACE_CLIENTS}${parse(file).name}`) && !used.has(realpathSync(file)),
  )
}
