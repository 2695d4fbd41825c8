import { join } from 'node:path'
import { readFileSync } from '../../../cache/files/read.ts'
import { packageRoot } from '../../../cache/package-root.ts'

/** What stays out of a repository: results, keys, what is installed. Those of the template's rules that a .gitignore lacks. */
export const lackingRules = (own: string): readonly string[] => {
  const has = new Set(own.split('\n').map(bareRule))
  const template = readFileSync(join(packageRoot(), 'tools/init/template/gitignore'), 'utf8')
  return template.split('\n').filter((line) => line !== '' && !has.has(bareRule(line)))
}

const bareRule = (line: string): string => line.trim().replaceAll(/^\/|\/$/g, '')

export const withRules = (own: string, rules: readonly string[]): string =>
  `${own}${own === '' || own.endsWith('\n') ? '' : '\n'}${rules.join('\n')}\n`
