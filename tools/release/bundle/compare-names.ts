import { join } from 'node:path'
import { digestJson } from '../../../cache/values/digest.ts'
import type { Problem } from '../../../cache/problems/problem.ts'
import { readRunSpec } from '../../helm/read-run.ts'
import { RELEASE_FILE, type Release } from '../release-file.ts'
import { cardPath, runPath, type RunCard } from '../run-card.ts'

const REMEDY = 'Do not trust the release: what it says of its runs is not what its runs are.'

/** What release.json tells of benchmarks, runs and withheld ones and the records do not. */
export const namesProblems = (release: Release, again: Release): readonly Problem[] =>
  (['benchmarks', 'runs', 'withheld'] as const).flatMap((list) => {
    const [told, made] = [release[list], again[list]] as const
    return Array.from({ length: Math.max(told.length, made.length) }, (_, index) => index).flatMap(
      (index) => {
        const fields = differing(told[index], made[index])
        if (fields.length === 0) return []
        const field = `${list}[${index}]`
        return [problem(RELEASE_FILE, `${field} is not what the records say: ${fields.join(', ')}`, field)]
      },
    )
  })

/** Names of the fields in which two objects differ; an object that is missing differs as a whole. */
const differing = (told: object | undefined, made: object | undefined): readonly string[] => {
  if (told === undefined) return ['it is missing']
  if (made === undefined) return ['there is no such record']
  const [ours, theirs] = [new Map(Object.entries(made)), new Map(Object.entries(told))]
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (name) => JSON.stringify(ours.get(name)) !== JSON.stringify(theirs.get(name)),
  )
}

/** What records tell of their runs and the runs' own files do not. */
export const cardProblems = async (
  bundle: string,
  cards: readonly RunCard[],
): Promise<readonly Problem[]> => {
  const problems: Problem[] = []
  for (const card of cards) {
    const { suite, name, model, deployment, target, withheld } = card
    const { name: own, adapterSpec } = await readRunSpec(join(bundle, runPath(suite, name)))
    const pairs: readonly (readonly [what: string, told: string, found: string])[] = [
      ['name', name, own],
      ['model', model, adapterSpec.model],
      ['deployment', deployment.deployment, adapterSpec.modelDeployment],
      // Of a withheld run the key's texts are, too.
      ['digest', target.digest, withheld === null ? digestJson<'target'>(target.key) : target.digest],
    ]
    for (const [what, told, found] of pairs)
      if (told !== found)
        problems.push(
          problem(cardPath(suite, name), `the record's ${what} is ${told}, the run's is ${found}`, what),
        )
  }
  return problems
}

const problem = (file: string, message: string, field: string): Problem => ({
  code: 'release/other-name',
  message: `${file}: ${message}`,
  where: { file, field },
  remedy: REMEDY,
})
