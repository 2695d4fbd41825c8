import { describe, expect, it } from 'vitest'
import type { Problem, ProblemError } from '../../../../cache/problems/problem.ts'
import { parseYaml } from '../../../../cache/problems/yaml-document.ts'
import { checkSchema } from '../../../../targets/tables/schema/check-schema.ts'
import { expand } from '../../../../targets/tables/schema/expand.ts'
import { substitute } from '../../../../targets/tables/schema/matcher.ts'
import { parseSchema } from '../../../../targets/tables/schema/parse-schema.ts'
import { indexSchema, RUN_GROUP_DEFAULTS, type Schema } from '../../../../targets/tables/schema/schema.ts'

const parse = (text: string): Schema => parseSchema(parseYaml(text, 'schema.yaml', { room: 'targets' }))
const faults = (text: string): readonly Problem[] => checkSchema(parse(text), 'schema.yaml')

describe('reading a schema', () => {
  it('fills in HELM’s defaults and passes over unknown keys', () => {
    const { runGroups, metrics } = parse(
      'run_groups: [{name: a, colour: red}]\nmetrics: [{name: m, lower_is_better: null}]',
    )
    expect(runGroups).toEqual([{ ...RUN_GROUP_DEFAULTS, name: 'a' }])
    expect(metrics).toEqual([{ name: 'm' }])
  })

  it('takes an empty file for an empty schema', () => {
    expect(parse('{}')).toEqual({ metrics: [], perturbations: [], metricGroups: [], runGroups: [] })
  })

  it('names every fault with line and field', () => {
    const text = 'run_groups:\n- name: a\n  subgroups: [b, 3]\n- display_name: x\n  visibility: none\n'
    try {
      parse(text)
      expect.unreachable()
    } catch (error) {
      const { problems } = error as ProblemError
      expect(problems.map(({ where }) => where)).toMatchObject([
        { line: 3, field: 'run_groups[0].subgroups[1]' },
        { line: 4, field: 'run_groups[1].name' },
        { line: 5, field: 'run_groups[1].visibility' },
      ])
    }
  })
})

describe('checking a schema', () => {
  it('finds nothing in a sound one', () => {
    const text = `
metrics: [{name: em}]
metric_groups: [{name: acc, metrics: [{name: em, split: test}, {name: "\${main}", split: __all__}]}]
run_groups: [{name: all, subgroups: [leaf]}, {name: leaf, metric_groups: [acc], environment: {main: em}}]
`
    expect(faults(text)).toEqual([])
  })

  it.each([
    ['metrics: [{name: em}, {name: em}]', 'more than once'],
    ['metrics: [{name: ""}]', 'no name'],
    ['metric_groups: [{name: g, metrics: [{name: em, split: test}]}]', 'Metric em of group g'],
    ['metrics: [{name: em}]\nmetric_groups: [{name: g, metrics: [{name: em, split: dev}]}]', 'Split dev'],
    [
      'metrics: [{name: em}]\nmetric_groups: [{name: g, metrics: [{name: em, split: test, perturbation_name: typos}]}]',
      'Perturbation typos',
    ],
    ['run_groups: [{name: a, metric_groups: [g]}]', 'Metric group g'],
    ['run_groups: [{name: a, subgroups: [b]}]', 'Sub-group b'],
    ['run_groups: [{name: a, subgroups: [b]}, {name: b, subgroups: [a]}]', 'a → b → a'],
  ])('of %s says %s', (text, message) => {
    const problems = faults(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain(message)
  })
})

describe('groups', () => {
  it('expand depth first, each group once, circles included', () => {
    const { runGroups } = parse(
      'run_groups: [{name: a, subgroups: [b, c]}, {name: b, subgroups: [d]}, {name: c, subgroups: [d, a]}, {name: d}]',
    )
    const index = indexSchema({ metrics: [], perturbations: [], metricGroups: [], runGroups })
    const [first] = runGroups
    expect(first && expand(first, index).map(({ name }) => name)).toEqual(['a', 'b', 'd', 'c'])
  })

  it('fill their variables into matchers, and lose sub-splits as HELM does', () => {
    const group = { ...RUN_GROUP_DEFAULTS, name: 'g', environment: new Map([['main_name', 'em']]) }
    expect(substitute({ name: '${main_name}', split: 'test', subSplit: 'x' }, group)).toEqual({
      name: 'em',
      split: 'test',
    })
    expect(() => substitute({ name: '${other}', split: 'test' }, group)).toThrow('targets/undefined-variable')
  })
})
