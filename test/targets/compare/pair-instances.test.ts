import { describe, expect, it } from 'vitest'
import type { ComparedInstance } from '../../../targets/compare/compared-run.ts'
import { pairInstances } from '../../../targets/compare/pair-instances.ts'
import { scenarioOf } from '../../../targets/runs/scenario-name.ts'

const instance = (id: string, digest: string, references = 'A'): ComparedInstance => ({
  id,
  digest,
  references,
  values: new Map(),
})
const pairs = (a: readonly ComparedInstance[], b: readonly ComparedInstance[]): readonly string[] =>
  pairInstances(a, b).map((pair) => `${pair.a.id}=${pair.b.id}`)

describe('instances', () => {
  it('are known again by what they ask, wherever they stand', () => {
    const before = [instance('id0', 'x'), instance('id1', 'y')]
    const after = [instance('id0', 'new'), instance('id1', 'x'), instance('id2', 'y')]
    expect(pairs(before, after)).toEqual(['id0=id1', 'id1=id2'])
  })

  it('that are alike pair one by one', () => {
    const twice = [instance('id0', 'x'), instance('id1', 'x')]
    expect(pairs(twice, twice)).toEqual(['id0=id0', 'id1=id1'])
    expect(pairs(twice, [instance('id5', 'x')])).toEqual(['id0=id5'])
  })

  it('in other words pair by id where the same answer is right', () => {
    const before = [instance('id0', 'x', 'A'), instance('id1', 'y', 'B')]
    const after = [instance('id0', 'x2', 'A'), instance('id1', 'y2', 'C')]
    expect(pairs(before, after)).toEqual(['id0=id0'])
  })

  it('in other words and of another number are not guessed at', () => {
    const before = [instance('id0', 'x'), instance('id1', 'y')]
    const after = [instance('id0', 'n2'), instance('id1', 'x2'), instance('id2', 'y2')]
    expect(pairs(before, after)).toEqual([])
  })
})

describe('the name of what is asked', () => {
  it.each([
    ['pubmed_qa:model=a_b', 'pubmed_qa'],
    ['head_qa:language=en,model=a_b', 'head_qa:language=en'],
    ['head_qa:model_deployment=a_b,language=en', 'head_qa:language=en'],
    ['pubmed_qa,model=a_b', 'pubmed_qa'],
    ['pubmed_qa', 'pubmed_qa'],
  ])('of %s is %s', (run, scenario) => {
    expect(scenarioOf(run)).toBe(scenario)
  })
})
