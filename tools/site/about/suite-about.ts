import { listReadable, type BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import { readTaxonomy } from '../../../benchmarks/taxonomy.ts'
import { isShown } from '../../../targets/access/suppress-small.ts'
import type { Board } from '../../../targets/board/board.ts'
import type { RunRecord } from '../../../targets/record/record.ts'
import type { Target } from '../../../targets/record/target.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { identityOf } from '../../../models/clients/create-client.ts'
import { instancesKey } from '../../../targets/keys/keys.ts'
import type { Session } from '../../session/session.ts'
import { aboutBenchmarks, type DescribedTarget, type ShownJury } from './benchmark-about.ts'
import { aboutModels } from './model-about.ts'
import type { SiteSuite } from '../site.ts'

/** What pages say of a suite's benchmarks and models besides their results. */
export const suiteAbout = async (
  board: Board,
  finished: readonly { readonly target: Target; readonly record: RunRecord }[],
  { registry, workspace }: Pick<Session, 'registry' | 'workspace'>,
): Promise<Required<Pick<SiteSuite, 'benchmarks' | 'models' | 'taxonomy' | 'catalog'>>> => {
  const context = { workspace: workspace.root }
  const [{ benchmarks: catalog }, taxonomy] = await Promise.all([
    listReadable(context),
    readTaxonomy(context),
  ])
  const described = await Promise.all(
    finished.map(({ target, record }) =>
      describedRun(
        target,
        record,
        catalog.find(({ name }) => name === target.spec.benchmark.name),
      ),
    ),
  )
  return {
    benchmarks: aboutBenchmarks(described),
    models: aboutModels(board, registry, (deployment) => registry.prices.get(deployment)),
    taxonomy,
    catalog: catalog.map(({ name, displayName, category = '', subcategory = '' }) => ({
      name,
      displayName,
      category,
      subcategory,
    })),
  }
}

const describedRun = async (
  { spec, judges }: Target,
  { errata }: RunRecord,
  declared: BenchmarkSummary | undefined,
): Promise<DescribedTarget> => {
  const { benchmark } = spec
  return {
    benchmark: benchmark.name,
    access: benchmark.access,
    declared,
    identity: await instancesKey(benchmark),
    corrected: errata?.corrected ?? [],
    jury: benchmark.jury && juryOf(benchmark.jury, judges, isShown(benchmark)),
    metrics: spec.metrics,
    code: [
      ...spec.metrics.flatMap(({ code }) => code?.digest ?? []),
      ...(benchmark.ownAnnotators ?? []).map(({ digest }) => digest),
    ],
  }
}

const juryOf = (
  { template, criteria, scale }: NonNullable<Target['spec']['benchmark']['jury']>,
  judges: Target['judges'],
  mayShow: boolean,
): ShownJury => ({
  criteria: [...criteria.keys()],
  scale,
  judges: judges.map(({ judge, deployment }) => ({
    name: judge.name,
    deployment: deployment.name,
    modelString: identityOf(deployment).modelString,
  })),
  rubric: mayShow ? template : null,
  digest: digestOf<'text'>(template),
})
