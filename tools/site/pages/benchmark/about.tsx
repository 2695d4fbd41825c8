import { present } from '../../../../cache/lists.ts'
import type { ComponentChildren, JSX } from 'preact'
import { factText, statedFacts } from '../../../../benchmarks/declaration/about.ts'
import type { BoardBenchmark } from '../../../../targets/runs/board-run.ts'
import type { BenchmarkAbout, ShownErratum, ShownJury } from '../../about/benchmark-about.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Facts } from '../../components/facts.tsx'
import { Verbatim } from '../../components/text/shown-text.tsx'
import { plural } from '../../../../cache/words/number-text.ts'
import { visibleText } from '../../visible-text.ts'

const ACCESS = {
  public: 'Public: anybody may read the instances.',
  gated: 'Gated: whoever signs its terms may read the instances. This site shows no text of them.',
  private: 'Private: the instances stay with their owner. This site shows no text of them.',
  local: 'Read from files that do not say who may read the instances.',
} as const

const DIRECTIONS = { true: 'Lower is better.', false: 'Higher is better.' } as const

type Fact = readonly [label: string, value: ComponentChildren]

interface AboutProps {
  readonly benchmark: BoardBenchmark
  readonly about: BenchmarkAbout | undefined
}

/** What is measured, on what, by whose leave. */
export const AboutFacts = ({ benchmark, about }: AboutProps): JSX.Element => {
  const { mainMetric, category, subcategory } = benchmark
  const { taxonomy, homepage, citation } = about?.declared ?? {}
  const items: readonly Fact[] = present(
    ['Metric', `${mainMetric.displayName} on the ${mainMetric.split} split`],
    mainMetric.description !== '' && ['Definition', mainMetric.description],
    [
      'Direction',
      mainMetric.lowerIsBetter === undefined
        ? 'Not declared: results are not ranked.'
        : DIRECTIONS[`${mainMetric.lowerIsBetter}`],
    ],
    category !== undefined && ['Taxonomy', [category, subcategory].filter(Boolean).join(': ')],
    ...(taxonomy === undefined
      ? []
      : [
          ['Task', `${taxonomy.task}: ${taxonomy.what}`] as const,
          ['For', [taxonomy.who, taxonomy.when, taxonomy.language].join('; ')] as const,
        ]),
    ['Access', ACCESS[benchmark.access]],
    ...statedOf(about),
    homepage !== undefined && ['Home', <ExternalLink href={homepage} />],
    citation !== undefined && ['Cite as', citation],
  )
  return (
    <Facts
      items={items.map(([label, value]) => [label, typeof value === 'string' ? visibleText(value) : value])}
    />
  )
}

const FACTS = { size: 'Size', licence: 'Licence', contact: 'Contact' } as const

/** What its declaration says of the data, and whether anybody checked it. */
const statedOf = (about: BenchmarkAbout | undefined): readonly Fact[] =>
  about?.declared === undefined
    ? []
    : statedFacts(about.declared).map((stated) => [FACTS[stated.fact], factText(stated)])

/** Known faults of the benchmark, and which runs put them right. */
export const Errata = ({ errata }: Pick<BenchmarkAbout, 'errata'>): JSX.Element | null =>
  errata.length === 0 ? null : (
    <section>
      <h2 id="errata">Errata</h2>
      <DataTable
        label="Errata"
        head={['Erratum', 'What is wrong', 'In these results']}
        rows={errata.map((erratum) => [
          visibleText(erratum.id),
          <span class="prose">
            {visibleText(erratum.about)}
            {erratum.source === undefined ? null : <> ({visibleText(erratum.source)})</>}
          </span>,
          <span class="prose">{visibleText(standingOf(erratum))}</span>,
        ])}
      />
    </section>
  )

const standingOf = ({ corrected, runs, correction }: ShownErratum): string => {
  const how = correction === undefined ? '' : ` ${correction}`
  if (corrected === runs) return `Put right.${how}`
  if (corrected > 0) return `Put right in ${corrected} of ${plural(runs, 'run')}.${how}`
  return correction === undefined
    ? 'As the benchmark has it.'
    : `As the benchmark has it. A run may put it right: ${correction}`
}

/** Digests of what was asked. */
export const Data = ({ data }: Pick<BenchmarkAbout, 'data'>): JSX.Element | null =>
  data.length === 0 ? null : (
    <details>
      <summary>Digests of the data</summary>
      {data.map(({ digest, parts }) => (
        <Facts
          key={digest}
          items={[
            ['Instances', <code>{digest}</code>],
            ...parts.map(
              ([label, value]) => [visibleText(label), <code>{visibleText(value)}</code>] as const,
            ),
          ]}
        />
      ))}
    </details>
  )

/** Who judges, on what scale, and by which rubric. */
export const Jury = ({ jury }: { readonly jury: ShownJury }): JSX.Element => (
  <section>
    <h2 id="jury">Jury</h2>
    <Facts
      items={[
        ['Criteria', visibleText(jury.criteria.join(', '))],
        ['Scale', `${jury.scale.least} to ${jury.scale.most}`],
        [
          'Judges',
          visibleText(jury.judges.map(({ name, deployment }) => `${name}: ${deployment}`).join('\n')),
        ],
      ]}
    />
    {jury.rubric === null ? (
      <p>The rubric is not shown: it belongs to a benchmark that is not public.</p>
    ) : (
      <details>
        <summary>The rubric</summary>
        <Verbatim text={jury.rubric} />
      </details>
    )}
  </section>
)

/** An address elsewhere; only of the web is it a link. */
const ExternalLink = ({ href }: { readonly href: string }): JSX.Element =>
  /^https?:\/\//.test(href) ? (
    <a href={href} rel="noreferrer">
      {visibleText(href)}
    </a>
  ) : (
    <>{visibleText(href)}</>
  )
