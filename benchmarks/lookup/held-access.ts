import { ProblemError } from '../../cache/problems/problem.ts'
import { accessIn, declaredAccess } from '../access/access.ts'
import type { BenchmarkContext } from '../context/context.ts'
import { protocolFor } from '../declaration/read-declaration.ts'
import type { Benchmark } from '../scenario/benchmark.ts'
import { argumentChoices } from './argument-choices.ts'
import { declaredBenchmark, type ReadEntry } from './find.ts'

type HeldAccess = Pick<Benchmark, 'access' | 'accessReason'>

/** The access that a benchmark's runs have, and why that is not what it declares: its data may be another one's. */
export const heldAccess = async (
  read: ReadEntry,
  context: BenchmarkContext,
  choices?: ReturnType<typeof argumentChoices>,
): Promise<HeldAccess> => {
  const { entry, document, declaration } = read
  const access = declaredAccess(accessIn(document.value), entry.file, context.workspace)
  if (access !== 'public') return { access }
  const protocol = declaration && protocolFor(declaration.content, context.protocol)
  const others: HeldAccess[] = []
  for (const args of choices ?? argumentChoices(protocol)) {
    const held = await declaredBenchmark(read, args, context).catch(declared)
    if (held.access !== 'public') others.push(held)
  }
  return others.find((held) => held.access === 'private') ?? others[0] ?? { access }
}

/** What can't be run has no data, and reads none. */
const declared = (error: unknown): HeldAccess => {
  if (error instanceof ProblemError) return { access: 'public' }
  throw error
}
