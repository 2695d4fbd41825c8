import { basename } from 'node:path'
import { z } from 'zod'
import { ProblemError } from '../../cache/problems/problem.ts'
import { faultsOf } from '../../cache/problems/zod-problems.ts'
import { loadCode } from '../../cache/user-code/load-code.ts'
import type { CodeKind } from './find-code.ts'
import { reasonOf } from '../../cache/problems/reason.ts'

const HELPERS: Readonly<Record<CodeKind, string>> = { metric: 'defineMetric', annotator: 'defineAnnotator' }

/**
 * What a file of the workspace's code exports under the name of its kind, checked.
 * @throws ProblemError `metrics/code` or `annotators/code` with what the file lacks, those of `loadCode`
 */
export const readModule = async <T>(kind: CodeKind, file: string, definition: z.ZodType<T>): Promise<T> => {
  try {
    const module = await loadCode(file, `${kind}s`)
    const names = Object.keys(module as object)
    if (!names.includes(kind))
      throw codeProblem(kind, file, `it exports ${names.join(', ') || 'nothing'}, and no ${kind}`)
    const parsed = z.object({ [kind]: definition }).safeParse(module)
    if (!parsed.success) throw codeProblem(kind, file, faultsOf(parsed.error))
    return parsed.data[kind] as T
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw codeProblem(kind, file, reasonOf(error), error)
  }
}

export const codeProblem = (kind: CodeKind, file: string, reason: string, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: `${kind}s/code`,
      message: `${basename(file)} can't be used: ${reason}`,
      where: { file },
      remedy: `Export \`${kind}\`, as \`${HELPERS[kind]}\` of 'medmake' describes it.`,
    },
    { cause },
  )
