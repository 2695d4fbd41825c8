import { z } from 'zod'
import { ProblemError } from '../../cache/problems/problem.ts'

const Name = z.string().regex(/^[\w.-]+$/, 'it must be of letters, digits, dots, dashes and underscores')

/** What nx.json may say beside the plugin's name: `{"plugin": "medmake/nx", "options": {…}}`. */
const PluginOptions = z.strictObject({
  /** Suites whose pairs become projects; all of `targets/*.conf` unless given. */
  suites: z.array(z.string()).default([]),
  generateTargetName: Name.default('generate'),
  scoreTargetName: Name.default('score'),
  reportTargetName: Name.default('report'),
})

/** What a pair's targets and the leaderboard's are called. */
export interface TargetNames {
  readonly generate: string
  readonly score: string
  readonly report: string
}

/** @throws ProblemError `nx/bad-option` */
export const readOptions = (
  options: unknown,
): { readonly suites: readonly string[]; readonly names: TargetNames } => {
  const parsed = PluginOptions.safeParse(options ?? {})
  if (!parsed.success)
    throw new ProblemError(
      parsed.error.issues.map(({ path, message }) => ({
        code: 'nx/bad-option',
        message: `${['options', ...path.map(String)].join('.')} of the plugin: ${message}`,
        where: { file: 'nx.json', field: 'plugins' },
        remedy: `Its options: ${Object.keys(PluginOptions.shape).join(', ')}.`,
      })),
    )
  const { suites, generateTargetName, scoreTargetName, reportTargetName } = parsed.data
  return {
    suites,
    names: { generate: generateTargetName, score: scoreTargetName, report: reportTargetName },
  }
}
