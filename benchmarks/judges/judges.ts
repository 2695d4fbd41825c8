import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { YAML11_SCHEMA } from 'js-yaml'
import { z } from 'zod'
import { ProblemError } from '../../cache/problems/problem.ts'
import { parseYaml } from '../../cache/problems/yaml-document.ts'
import { checkDocument } from '../../cache/problems/zod-problems.ts'
import type { BenchmarkContext } from '../context/context.ts'
import { packageRoot } from '../../cache/package-root.ts'
import type { PyValue } from '../python/value.ts'
import type { Judge } from '../scenario/benchmark.ts'
import { decodeText, readBytes } from '../sources/read-text.ts'

const Text = z.string().min(1, 'it must be some text')
/** HELM's judges.yaml (HELM.md B6). */
const JudgesFile = z.strictObject({
  judges: z
    .array(z.strictObject({ name: Text, model: Text, model_deployment: Text }))
    .min(1, 'it must name at least one judge'),
})

/** A jury's members and the file that names them. */
export interface Judges {
  readonly file: string
  readonly judges: readonly Judge[]
}

/**
 * The judges of built-in benchmarks: those of `path` (a run entry's `jury_config_path`, relative to the working
 * folder), else of `protocolFile`, which a protocol names that wants judges of its own, else of the workspace's `benchmarks/judges.yaml`, else MedHELM's three.
 *
 * @throws ProblemError `benchmarks/missing-file`, `benchmarks/duplicate-judge`, faults of the YAML
 */
export const readJudges = async (
  path: string | undefined,
  context: Pick<BenchmarkContext, 'workspace' | 'cwd'>,
  protocolFile?: string,
): Promise<Judges> => {
  const file =
    path === undefined ? (protocolFile ?? defaultFile(context.workspace)) : resolve(context.cwd, path)
  const text = decodeText(await readBytes(file, 'judges file'), file)
  const document = parseYaml(text, file, { room: 'benchmarks', schema: YAML11_SCHEMA })
  const { judges } = checkDocument(JudgesFile, document, 'benchmarks')
  for (const [index, { name }] of judges.entries())
    if (judges.findIndex((judge) => judge.name === name) < index)
      throw new ProblemError({
        code: 'benchmarks/duplicate-judge',
        message: `two judges are named ${JSON.stringify(name)}`,
        where: document.place(['judges', index, 'name']),
        remedy: 'Give each judge a name of its own: the name is its key in the annotations.',
      })
  return {
    file,
    judges: judges.map(({ name, model, model_deployment }, index) => ({
      name,
      model,
      deployment: model_deployment,
      where: document.place(['judges', index, 'model_deployment']),
    })),
  }
}

const defaultFile = (workspace: string): string => {
  const own = join(workspace, 'benchmarks', 'judges.yaml')
  return isAbsolute(workspace) && existsSync(own) ? own : join(packageRoot(), 'benchmarks', 'judges.yaml')
}

/** `annotator_models` as run_spec.json holds it. */
export const annotatorModels = (judges: readonly Judge[]): ReadonlyMap<string, PyValue> =>
  new Map(
    judges.map(({ name, model, deployment }) => [
      name,
      new Map([
        ['model_name', model],
        ['model_deployment', deployment],
      ]),
    ]),
  )
