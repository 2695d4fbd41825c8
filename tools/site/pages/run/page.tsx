import { biasText } from '../../../jury/format-calibration.ts'
import type { JSX } from 'preact'
import { scenarioOf } from '../../../../targets/runs/board-metric.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactMeasured } from '../../components/exact.tsx'
import { Facts } from '../../components/facts.tsx'
import { renderPage } from '../../emit/document.tsx'
import { isCovered } from '../../../../targets/record/coverage.ts'
import { causesText, meanInFull } from '../../../compare/coverage-text.ts'
import type { JudgeCoverage } from '../../../../targets/jury/judge-coverage.ts'
import {
  allOf,
  formatCount,
  formatRange,
  formatDeclared,
  formatShare,
  formatValue,
  plural,
  valueOrDash,
} from '../../../../cache/words/number-text.ts'
import { benchmarkPath, runFolder, runPath } from '../../paths.ts'
import type { NavigationEntry } from '../../site-page.ts'
import type { RunFacts } from '../../site.ts'
import { urlStateText } from '../../url-state.ts'
import { visibleText } from '../../visible-text.ts'
import { RunSubgroups } from './subgroups.tsx'
import { CausesTable, SpentTable } from './tables.tsx'

/** What of the site around it a run's page shows. */
export interface InstancesFrame {
  readonly navigation: readonly NavigationEntry[]
  /** Address of the suite's leaderboard. */
  readonly board: string
  /** Address of its page of comparisons; absent where there is nothing to compare. */
  readonly compare?: string
  /** Key of the data that it loads. */
  readonly compareData?: string
}

/** runs/….html. @param isOpen whether the run's instances lie beside the page: those of a public benchmark */
export const runPage = (
  facts: RunFacts,
  isOpen: boolean,
  { navigation, board, compare, compareData }: InstancesFrame,
): string => {
  const { suite, model, benchmark } = facts
  return renderPage({
    title: `${model.displayName} on ${benchmark.displayName}`,
    root: '../',
    script: 'answers',
    navigation,
    trail: [
      { label: suite, href: `../${board}` },
      { label: benchmark.displayName, href: `../${benchmarkPath(suite, benchmark.name)}` },
    ],
    children: (
      <>
        <h1>
          {visibleText(model.displayName)} <span class="on">on</span> {visibleText(benchmark.displayName)}
        </h1>
        {isOpen && compare !== undefined ? (
          <p class="run-links">
            <a href={`../${compare}${compareHash(facts)}`}>Compare with another model</a>
          </p>
        ) : null}
        <Facts
          items={[
            [visibleText(benchmark.mainMetricLabel), scoreText(facts)],
            ...decidingFacts(facts),
            ...(facts.score.calibrated === null
              ? []
              : [['Calibrated by clinicians', calibratedText(facts.score.calibrated)] as const]),
            ['Measured', measuredText(facts)],
            ...(facts.judges.length === 0 ? [] : [['Judges', <Judges facts={facts} />] as const]),
            ['Benchmark access', benchmark.access],
            ['Failures', <Failures facts={facts} />],
          ]}
        />
        <Particulars facts={facts} />
        <h2 id="instances">Instances</h2>
        <Instances facts={facts} isOpen={isOpen} compareData={compareData} />
      </>
    ),
  })
}

/** What is asked for less often, each behind a line. */
const Particulars = ({ facts }: { readonly facts: RunFacts }): JSX.Element => (
  <div class="particulars">
    <details>
      <summary>Run specification</summary>
      <Facts
        items={[['Run', facts.name] as const, ...facts.spec].map(([label, value]) => [
          label,
          <RunValue value={value} />,
        ])}
      />
    </details>
    <details>
      <summary>{allOf(facts.metrics.length, 'metric')}</summary>
      <DataTable
        label="Metrics"
        head={['Metric', 'Split', ...numeric('Mean')]}
        rows={facts.metrics.map(({ label, split, value, isCount }) => [
          visibleText(label),
          visibleText(split),
          exactMeasured(value, isCount),
        ])}
      />
    </details>
    <FailureDetails details={facts.failureDetails} />
    <CausesTable coverage={facts.coverage} />
    <SpentTable spent={facts.spent} />
    {facts.subgroups === undefined ? null : <RunSubgroups subgroups={facts.subgroups} />}
  </div>
)

const compareHash = ({ name, model }: RunFacts): string =>
  urlStateText({ task: scenarioOf(name), a: model.deployment }, { task: '', a: '' })

const RunValue = ({ value }: { readonly value: string }): JSX.Element => (
  <span class="run-value" dir="auto">
    {visibleText(value)}
  </span>
)

/** `2.84, 95 % interval 1.9 to 3.6, n 2 of 20` */
const scoreText = ({ score: { value, interval, n, asked } }: RunFacts): string => {
  if (value === null) return 'no value'
  const range = interval === null ? '' : `, 95 % interval ${formatRange(interval)}`
  const of = n < asked ? ` of ${formatCount(asked)}` : ''
  return `${formatValue(value)}${range}, n ${formatCount(n)}${of}`
}

/** Where HELM's mean holds defaults for what could not be read, and places go by another. */
const decidingFacts = ({ score: { value, score } }: RunFacts): readonly (readonly [string, string])[] =>
  value === null || score === null || formatValue(score) === formatValue(value)
    ? []
    : [['Order and places go by', meanInFull(score)]]

/** `3.4, 95 % interval 3.1 to 3.7, 60 labels` */
const calibratedText = ({
  value,
  interval,
  labels,
  bias,
  uncovered,
}: NonNullable<RunFacts['score']['calibrated']>): string =>
  `${formatValue(value)}${interval === null ? '' : `, 95 % interval ${formatRange(interval)}`}, ${plural(labels, 'label')}${bias === undefined ? '' : `; ${biasText(bias)}`}${uncovered === undefined ? '' : `; says nothing of ${plural(uncovered, 'answer')}, new or without a judge’s score`}`

/** `97.2 % of 1000 requests, 54.2 % of 3000 judgements: 28 provider errors` */
const measuredText = ({ coverage }: RunFacts): string => {
  const { evaluated, measured, judgements, floor, causes } = coverage
  if (evaluated === 0) return 'not known'
  const why = causesText(causes)
  const judged =
    judgements === undefined || judgements.wanted === 0
      ? ''
      : `, ${formatShare(judgements.read / judgements.wanted)} of ${plural(judgements.wanted, 'judgement')}`
  const unranked = isCovered(coverage, floor) ? '' : `; not ranked under ${formatDeclared(floor)}`
  return `${formatShare(measured / evaluated)} of ${plural(evaluated, 'request')}${judged}${why === '' ? '' : `: ${why}`}${unranked}`
}

const Judges = ({ facts }: { readonly facts: RunFacts }): JSX.Element => (
  <ul class="links">
    {facts.judges.map((judge) => (
      <li key={judge.judge}>{judgeText(judge)}</li>
    ))}
  </ul>
)

/** `gpt-4o: 98 % of 1,000 judgements count, mean 4.31 (accuracy 4.2, clarity 4.42)` */
const judgeText = ({ judge, asked, counted, mean, criteria }: JudgeCoverage): string => {
  const means = criteria.map((each) => `${visibleText(each.criterion)} ${valueOrDash(each.mean)}`)
  const share =
    asked === 0 ? 'asked nothing' : `${formatShare(counted / asked)} of ${plural(asked, 'judgement')} count`
  const score = mean === null ? '' : `, mean ${formatValue(mean)} (${means.join(', ')})`
  return `${visibleText(judge)}: ${share}${score}`
}

const Failures = ({ facts }: { readonly facts: RunFacts }): JSX.Element =>
  facts.failures.length === 0 ? (
    <>none in {plural(facts.coverage.evaluated, 'request')}</>
  ) : (
    <ul class="links">
      {facts.failures.map(({ code, stage, count }) => (
        <li key={`${stage} ${code}`} class="warning">
          {formatCount(count)} × {code} ({stage})
        </li>
      ))}
    </ul>
  )

const FailureDetails = ({ details }: { readonly details: RunFacts['failureDetails'] }): JSX.Element | null =>
  details.length === 0 ? null : (
    <details>
      <summary>
        {details.length === 1 ? 'The failure' : `The first ${details.length} failures`} in full
      </summary>
      <DataTable
        label="Failures in full"
        head={['Instance', 'Stage', 'Judge', 'Failure']}
        rows={details.map(({ instance, stage, judge, code, detail }) => [
          visibleText(instance),
          stage,
          judge ?? '–',
          `${code}: ${visibleText(detail)}`,
        ])}
      />
    </details>
  )

const Instances = ({
  facts,
  isOpen,
  compareData,
}: {
  readonly facts: RunFacts
  readonly isOpen: boolean
  readonly compareData: string | undefined
}): JSX.Element =>
  isOpen ? (
    <div
      data-app="instances"
      data-base={`${runFolder(facts.suite, facts.name).split('/').at(-1) ?? ''}/`}
      data-folder="../"
      data-suite={facts.suite}
      data-run={facts.name}
      data-page={runPath(facts.suite, facts.name)}
      data-compare={compareData}
      data-main={facts.benchmark.mainMetric}
      data-jury={JSON.stringify(facts.judges.map(({ judge }) => judge))}
      data-names={JSON.stringify(
        Object.fromEntries(facts.metrics.map(({ name, label }) => [name, visibleText(label)])),
      )}
      data-label={visibleText(facts.benchmark.mainMetricLabel)}
      data-wrong={facts.benchmark.wrongScore}
    >
      <p>Prompts and answers are loaded page by page, which needs JavaScript.</p>
    </div>
  ) : (
    <p>
      The instances of this benchmark are {facts.benchmark.access}: neither their text nor the model’s answers
      are shown here.
    </p>
  )
