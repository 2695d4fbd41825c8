import type { ErrataChoice } from '../context/context.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { str } from '../python/numbers/number.ts'
import type { PyValue } from '../python/value.ts'
import type { Corrections } from '../scenario/benchmark.ts'
import type { Erratum } from './about.ts'

/** Argument of every declared benchmark's run entries: `corrected`, `reproduced`, or ids joined by `+`. */
export const ERRATA_ARGUMENT = 'errata'

/** True where a protocol or metric here can put the erratum right. */
const isCorrectable = ({ correction, drop }: Erratum): boolean =>
  correction !== undefined || drop !== undefined

/** True where putting it right alters instances. */
export const altersInstances = ({ correction, drop }: Erratum): boolean =>
  drop !== undefined || correction?.in === 'data'

/**
 * Which errata a run puts right; undefined where it reproduces all, as HELM does. A run entry's own choice wins.
 *
 * @throws ProblemError `benchmarks/unknown-erratum`, `benchmarks/no-correction`
 */
export const correctionsOf = (
  benchmark: { readonly name: string; readonly errata: readonly Erratum[] },
  choice: ErrataChoice = 'reproduced',
  given?: PyValue,
  where?: Place,
): Corrections | undefined => {
  const wanted = given === undefined ? chosen(benchmark.name, choice) : entryChoice(str(given))
  if (wanted === 'reproduced') return undefined
  const { errata } = benchmark
  if (wanted === 'corrected')
    return {
      corrected: errata.filter(isCorrectable).map(({ id }) => id),
      uncorrected: errata.filter((erratum) => !isCorrectable(erratum)).map(({ id }) => id),
    }
  for (const id of wanted) checkId(benchmark, id, where)
  return { corrected: errata.filter(({ id }) => wanted.includes(id)).map(({ id }) => id), uncorrected: [] }
}

const chosen = (name: string, choice: ErrataChoice): 'reproduced' | 'corrected' | readonly string[] =>
  typeof choice === 'string' ? choice : (choice[name] ?? 'reproduced')

const entryChoice = (text: string): 'reproduced' | 'corrected' | readonly string[] =>
  text === 'reproduced' || text === 'corrected' ? text : text.split('+')

const checkId = (
  { name, errata }: { readonly name: string; readonly errata: readonly Erratum[] },
  id: string,
  where?: Place,
): void => {
  const found = errata.find((erratum) => erratum.id === id)
  if (found !== undefined && isCorrectable(found)) return
  const known = errata.filter(isCorrectable).map((erratum) => erratum.id)
  throw new ProblemError({
    code: found === undefined ? 'benchmarks/unknown-erratum' : 'benchmarks/no-correction',
    message:
      found === undefined
        ? `${name} has no erratum ${JSON.stringify(id)}`
        : `the erratum ${JSON.stringify(id)} of ${name} has no correction here`,
    where: { ...where, field: where?.field ?? 'errata' },
    remedy: `${suggestion(id, known)}${
      known.length === 0 ? `${name} has none that can be corrected.` : `Correctable: ${known.join(', ')}.`
    }`,
  })
}
