import { UNKNOWN_MAKER } from '../../models/registry/registry.ts'
import { defined } from '../../cache/values/defined.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { ObjectSpec, ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Causes, Coverage, InstanceValues } from '../record/coverage.ts'
import type { InstanceRef } from '../record/instance-ref.ts'
import type { ReadState } from './read-state.ts'
import type { RunFailure, RunRecord } from '../record/record.ts'
import type { UsageWithJudges } from '../record/completion.ts'
import type { TrialStat } from '../tables/cells/trial-stat.ts'
import type { TableRun } from '../tables/table.ts'
import type { BoardBenchmark, BoardCalibration, BoardModel, BoardRun } from './board-run.ts'
import type { Sample } from './board-sample.ts'
import type { InstanceVector, KnownGroups } from './instance-vector.ts'
import type { JudgedSummary } from './judged-summary.ts'

/**
 * A finished run, whether the store, a folder of HELM's files or a release holds it. Functions read what costs reading;
 * a part that a source does not hold is absent.
 */
export interface Run extends TableRun {
  readonly suite: string
  readonly annotators?: readonly ObjectSpec[]
  readonly model: BoardModel
  readonly benchmark: BoardBenchmark
  /** Scale of the benchmark's jury. */
  readonly scale?: ScoreScale
  /** Loss of the main metric, in its own units, that the benchmark bears. */
  readonly margin?: number
  /** Ours, in no file of HELM's. */
  readonly ownStats: readonly TrialStat[]
  readonly causes: Causes
  /** Numbers that could not be computed, with the reason. */
  readonly omitted?: readonly string[]
  readonly failures: readonly RunFailure[]
  /** What our own records know beyond HELM's files. */
  readonly record?: Pick<
    RunRecord,
    'target' | 'rowsDigest' | 'profile' | 'errata' | 'skippedRows' | 'served' | 'omitted' | 'drift'
  >
  /** What its replies took. */
  readonly usage?: UsageWithJudges
  /** Digest, or place, of whatever else its page depends on. */
  readonly source: string
  readonly coverage: () => Promise<Coverage>
  readonly measured: () => Promise<Measured>
  /** Undefined for a run without a jury. */
  readonly judged?: () => Promise<JudgedSummary | undefined>
  readonly requests?: () => Promise<Requests>
  /** What is known of its instances besides. */
  readonly instanceGroups?: () => Promise<KnownGroups>
  readonly asked?: () => Promise<AskedQuestions>
  /** What instances share, such as a patient, where the source does not tell which of them do. */
  readonly unnamedSources?: string
}

/** The main metric's values. */
export interface Measured {
  readonly sample: Sample
  readonly vector?: InstanceVector
  /** Values that are not to be told, at hand all the same: places and groups may rest on them, and nothing else. */
  readonly withheld?: InstanceVector
  readonly calibrated?: BoardCalibration
}

/** A run's requests, in its order; reading them shows the benchmark's texts. */
export interface Requests {
  readonly states: () => Iterable<ReadState> | AsyncIterable<ReadState>
  /** By metric object, then by request. */
  readonly values: () => Iterable<InstanceValues> | AsyncIterable<InstanceValues>
  /** The source of each instance that shares one, by id. */
  readonly sources: ReadonlyMap<string, string>
}

/** What a run was asked. */
export interface AskedQuestions {
  /** Evaluated ones, in the data's order. */
  readonly instances: readonly AskedInstance[]
  /** Digest of the data files that they are rows of; absent where the source does not tell. */
  readonly data?: string
  /** Requests of each of them. */
  readonly trials: number
  /** Ids of instances of which a judge's score could not be read, in any trial. */
  readonly unread: () => Promise<ReadonlySet<string>>
  /** Digest of all answers, judgements and values, as its source forms it: equal where nothing that was measured differs. */
  readonly results?: string
  /** The same of each instance, by id; without those of which an answer, a judgement or a value is missing. */
  readonly resultsById?: () => ReadonlyMap<string, string>
}

export interface AskedInstance extends Pick<InstanceRef, 'id' | 'split' | 'digest' | 'cluster'> {
  readonly body: () => Pick<Instance, 'references' | 'extraData'>
}

/**
 * A run's requests and what they asked, for what can do nothing without.
 * @throws ProblemError `runs/withheld`
 */
export const wholeRun = async (
  run: Pick<Run, 'name' | 'requests' | 'asked'>,
): Promise<{ readonly requests: Requests; readonly asked: AskedQuestions }> => {
  const [requests, asked] = [await run.requests?.(), await run.asked?.()]
  if (requests !== undefined && asked !== undefined) return { requests, asked }
  throw new ProblemError({
    code: 'runs/withheld',
    message: `${run.name} holds no values by instance`,
    remedy: 'Read it where it was run, or leave it out.',
  })
}

/** A run as a board takes it, its values read. @returns `hidden`: values that the board's run does not tell */
export const boardRun = async (
  run: Run,
): Promise<{ readonly run: BoardRun; readonly hidden?: InstanceVector }> => {
  const { sample, vector, withheld, calibrated } = await run.measured()
  return {
    run: defined({
      name: run.name,
      model: run.model,
      benchmark: run.benchmark,
      stats: [...run.stats, ...run.ownStats],
      coverage: await run.coverage(),
      causes: run.causes,
      omitted: run.omitted,
      sample,
      vector,
      unnamedSources: run.unnamedSources,
      calibrated,
      failures: run.failures,
    }),
    ...(withheld && { hidden: withheld }),
  }
}

/**
 * A run's model as the registry knows it; by its bare name where it does not. Of a model whose maker nobody names HELM takes
 * its weights for open: that is no statement, and a board makes none.
 */
export const describeModel = (
  model: string,
  deployment: string,
  known:
    | { readonly displayName: string; readonly creatorOrganization: string; readonly access: string }
    | undefined,
): BoardModel => ({
  name: model,
  deployment,
  displayName: known?.displayName ?? model,
  creator: known?.creatorOrganization ?? UNKNOWN_MAKER,
  access:
    known === undefined || (known.creatorOrganization === UNKNOWN_MAKER && known.access === 'open')
      ? ''
      : known.access,
})
