import { describe, expect, it } from 'vitest'
import { Float } from '../../../benchmarks/python/numbers/number.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { parseDescription } from '../../../targets/entries/run-entry.ts'

const args = (text: string): unknown => Object.fromEntries(parseDescription(text, {}).args)

describe('a run-entry description', () => {
  it('is a name alone or a name with arguments in textual order', () => {
    expect(parseDescription('pubmed_qa', {})).toEqual({ name: 'pubmed_qa', args: new Map() })
    expect([...parseDescription('a:z=1,b=x,a=y', {}).args.keys()]).toEqual(['z', 'b', 'a'])
  })

  it('types values as Python does: int, else float, else text', () => {
    expect(args('a:i=01,u=1_000,p=+3,e=1e3,f=1.0,t=true,n= 5')).toEqual({
      i: 1,
      u: 1000,
      p: 3,
      e: new Float(1000),
      f: new Float(1),
      t: 'true',
      n: 5,
    })
  })

  it('splits at the first equals sign and keeps the last of a repeated key', () => {
    expect(args('a:k=x=y:z,k=w')).toEqual({ k: 'w' })
    expect(args('a:k=x=y:z')).toEqual({ k: 'x=y:z' })
  })

  it('refuses a piece without an equals sign, naming its place', () => {
    const where = { file: 'a.conf', line: 3 }
    expect(() => parseDescription('a:b', where)).toThrow(ProblemError)
    try {
      parseDescription('a:b', where)
    } catch (error) {
      expect((error as ProblemError).problems[0]).toMatchObject({ code: 'targets/description', where })
    }
  })
})
