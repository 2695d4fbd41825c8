import { familiesOf } from '../../../targets/jury/study/family.ts'
import { asJson, storedList, storedShape } from '../../../cache/stored-shape.ts'
import { defined } from '../../../cache/values/defined.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { groupBy, sumOver } from '../../../cache/lists.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import { judgeTable } from '../../../targets/jury/judge-table.ts'
import type { JudgeCoverage } from '../../../targets/jury/judge-coverage.ts'
import { juryReading } from '../../../targets/jury/stored-judgements.ts'
import {
  judgesReports,
  type JudgesReport,
  type ReportedScores,
} from '../../../targets/jury/study/judges-report.ts'
import type { SharedEnv } from '../../../targets/env/env.ts'
import { isShown } from '../../../targets/access/suppress-small.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { InstanceSources } from '../../../targets/runs/instance-sources.ts'
import { keptStudy } from '../../../targets/runs/kept-study.ts'
import { viewRecord } from '../../../targets/walk/modes/read.ts'
import type { ClinicianStudy } from '../../jury/clinician-study.ts'
import type { JudgeRepeats } from '../../jury/repeat-runs.ts'

/** Raised when the same judgements give another report. */
const VERSION = 4

/** What the page of judges tells of a benchmark: plain JSON. */
export interface SiteJudges extends JudgesReport {
  /** Its name on the board; `benchmark` has its arguments, too. */
  readonly column: string
  /** Runs by model, where examples lead. */
  readonly runs: Readonly<Record<string, string>>
  readonly coverage: readonly Pick<
    JudgeCoverage,
    'judge' | 'asked' | 'counted' | 'unreadable' | 'outOfRange'
  >[]
  /** Of ratings that `medmake agreement` was given; absent without. */
  readonly clinicians?: ClinicianStudy
  /** Of `medmake jury repeats`; absent where nobody asked again. */
  readonly repeats?: readonly JudgeRepeats[]
}

interface Known {
  readonly env: SharedEnv
  readonly registry: ModelRegistry
  /** How far judges' replies count, by the name of the run. */
  readonly coverage: ReadonlyMap<string, readonly JudgeCoverage[]>
}

const readStudy = storedShape<ClinicianStudy>('a study of clinicians', {
  raters: 'number',
  ratings: 'number',
})
const readRepeats = storedList<JudgeRepeats>('the repeats of judges', { judge: 'text' })
const readReports = storedList<JudgesReport>('a report on judges', { benchmark: 'text' })

/** The judges of each benchmark, read once for the same records. */
export const storedJudges = async (built: readonly Built[], known: Known): Promise<readonly SiteJudges[]> => {
  const runs = built.filter(({ target }) => target.spec.benchmark.jury !== undefined)
  const benchmarks = groupBy(runs, ({ target }) => target.spec.benchmark.runName)
  const reports = await reportsOf(runs, known)
  return [...benchmarks].flatMap(([benchmark, own]) => {
    const report = reports.find((each) => each.benchmark === benchmark)
    const coverage = coverageOf(own.flatMap(({ target }) => known.coverage.get(target.spec.name) ?? []))
    // Where no reply could be read there is no agreement to tell of, but that.
    if (report === undefined || (report.answers === 0 && coverage.every(({ asked }) => asked === 0)))
      return []
    const digests = own.map(({ digest }) => digest)
    const clinicians = readStudy(keptStudy('clinicians', digests, known.env.records))
    const repeats = readRepeats(keptStudy('repeats', digests, known.env.records))
    return [
      defined({
        ...report,
        column: own[0]?.target.spec.benchmark.name ?? benchmark,
        runs: Object.fromEntries(
          own.map(({ target: { spec } }) => [spec.adapter.modelDeployment, spec.name]),
        ),
        coverage,
        clinicians,
        repeats,
      }),
    ]
  })
}

/** Kept with the records, as figures are: examples name instances of public benchmarks alone. */
const reportsOf = async (
  runs: readonly Built[],
  { env, registry }: Known,
): Promise<readonly JudgesReport[]> => {
  const sources = new InstanceSources(env)
  if (runs.length === 0) return []
  const families = familiesOf(runs, registry)
  const shown = runs.map(({ target }) => isShown(target.spec.benchmark))
  const about = [runs.map(({ digest }) => digest), shown, [...families]]
  const id = `judges:${VERSION}:${digestOf<'text'>(JSON.stringify(about))}`
  const stored = readReports(env.records.get('files', id))
  if (stored !== undefined) return stored
  const read: ReportedScores[] = []
  for (const run of runs) {
    const { target } = run
    const { benchmark, adapter } = target.spec
    const reading = juryReading(target, env.profile)
    if (reading === undefined) continue
    read.push({
      benchmark: benchmark.runName,
      model: adapter.modelDeployment,
      scores: judgeTable((await viewRecord(target, run, env)).states(), reading),
      sources: await sources.of(benchmark),
      isShown: isShown(benchmark),
    })
  }
  const made = judgesReports(read, (name) => families.get(name) ?? name)
  await env.records.put('files', id, asJson(made))
  return made
}

const coverageOf = (coverage: readonly JudgeCoverage[]): SiteJudges['coverage'] =>
  [...groupBy(coverage, ({ judge }) => judge)].map(([judge, own]) => {
    const sum = sumOver(own)
    return {
      judge,
      asked: sum(({ asked }) => asked),
      counted: sum(({ counted }) => counted),
      unreadable: sum(({ unreadable }) => unreadable),
      outOfRange: sum(({ outOfRange }) => outOfRange),
    }
  })
