import { describe, expect, test } from 'vitest'
import type { Access, Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import type { ProblemError } from '../../../cache/problems/problem.ts'
import type { DeclaredAgreement, Endpoint } from '../../../models/agreement/data-agreement.ts'
import type { Client } from '../../../models/calls/client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { refusals, requireAgreement, requireAgreements } from '../../../targets/access/agreements.ts'
import type { Target } from '../../../targets/record/target.ts'

const deploymentOf = (name: string, agreement?: DeclaredAgreement): ModelDeployment =>
  ({
    name,
    file: `models/${name}.yaml`,
    ...(agreement === undefined ? {} : { agreement }),
  }) as ModelDeployment

const server = (host: string, isEncrypted = true): Endpoint => ({
  kind: 'server',
  host,
  address: `${host}:443`,
  isEncrypted,
})

const targetOf = (
  access: Access,
  deployment: ModelDeployment,
  judges: readonly ModelDeployment[] = [],
  more: Partial<Pick<Benchmark, 'accessReason' | 'name' | 'files'>> = {},
): Target =>
  ({
    spec: { benchmark: { name: 'wards', access, ...more } },
    deployment,
    judges: judges.map((each) => ({ deployment: each })),
  }) as unknown as Target

const ACCESS = ['public', 'gated', 'private'] as const
const LEVELS = ['none', 'gated', 'private'] as const

describe('Text of a benchmark', () => {
  test.each(ACCESS.flatMap((access) => LEVELS.map((level) => [access, level] as const)))(
    'that is %s goes to a host with which an agreement is %s as far as that reaches',
    (access, level) => {
      const deployment = deploymentOf('m', { level, host: 'covered.example' })
      const problems = refusals([targetOf(access, deployment)], () => server('covered.example'))
      expect(problems.length === 0).toBe(ACCESS.indexOf(access) <= LEVELS.indexOf(level))
      expect(refusals([targetOf(access, deployment)], () => server('other.example')).length === 0).toBe(
        access === 'public',
      )
    },
  )

  test('stays here where nothing says where it would go, and may go to this machine’s processes.', () => {
    const target = targetOf('private', deploymentOf('m'))
    expect(refusals([target], () => ({ kind: 'nowhere' }))).toHaveLength(1)
    expect(refusals([target], () => ({ kind: 'process' }))).toEqual([])
    expect(refusals([target], () => server('127.0.0.1', false))).toEqual([])
  })

  test('that is public goes anywhere, and nobody looks where.', () => {
    const never = (): Endpoint => {
      throw new Error('it was looked up')
    }
    expect(refusals([targetOf('public', deploymentOf('m'))], never)).toEqual([])
  })

  test('is refused to judges as to models, each pair once.', () => {
    const [model, one, other] = ['m', 'j1', 'j2'].map((name) => deploymentOf(name))
    if (model === undefined || one === undefined || other === undefined) throw new Error('three are named')
    const target = targetOf('gated', model, [one, other])
    const problems = refusals([target, target], ({ name }) =>
      name === 'j1' ? { kind: 'process' } : server('x.example'),
    )
    expect(problems.map(({ where }) => where)).toEqual([
      { file: 'models/m.yaml' },
      { file: 'models/j2.yaml' },
    ])
    expect(problems.map(({ code }) => code)).toEqual(['models/data-agreement', 'models/data-agreement'])
  })
})

describe('A refusal', () => {
  const refused = (
    access: Access,
    agreement: DeclaredAgreement | undefined,
    endpoint: Endpoint,
    accessReason?: string,
  ) => {
    const target = targetOf(
      access,
      deploymentOf('m', agreement),
      [],
      accessReason === undefined ? {} : { accessReason },
    )
    const [problem] = refusals([target], () => endpoint)
    return { message: problem?.message, remedy: problem?.remedy }
  }

  test('names the host, and the line that would allow it.', () => {
    expect(refused('gated', undefined, server('x.example'))).toEqual({
      message:
        'wards is gated, and the data agreement of m (x.example) is none: its text must not be sent there',
      remedy:
        'Where an agreement covers it, add to medmake.yaml, under data_agreements: `m: { level: gated, host: x.example }`. Or have m served on this machine. Or use another model or judge.',
    })
    expect(refused('gated', undefined, { kind: 'nowhere' })).toEqual({
      message:
        'wards is gated, and the data agreement of m (at no known host) is none: its text must not be sent there',
      remedy:
        'Where an agreement covers it, add to medmake.yaml, under data_agreements: `m: { level: gated, host: HOST }`. Or have m served on this machine. Or use another model or judge.',
    })
  })

  test('says how a private benchmark becomes public, but not of one that is private for a reason.', () => {
    const opens = 'if anybody may read wards, write `access: public` into its benchmark.yaml'
    expect(refused('private', undefined, server('x.example')).remedy).toContain(opens)
    expect(refused('gated', undefined, server('x.example')).remedy).not.toContain(opens)
    const inherited = refused('private', undefined, server('x.example'), 'a.csv is data of notes')
    expect(inherited.remedy).not.toContain(opens)
    expect(inherited.message).toContain(
      'wards is private, for a.csv is data of notes, and the data agreement',
    )
  })

  test('names the file that declares it, which HELM’s users call otherwise.', () => {
    const target = targetOf('private', deploymentOf('m'), [], { files: ['old/demos/exact_match_demo.yaml'] })
    const [problem] = refusals([target], () => server('x.example'))
    expect(problem?.remedy).toContain('write `access: public` into its exact_match_demo.yaml')
  })

  test('says with whom the agreement is, where it is with another host.', () => {
    const level = 'private'
    const said = (agreement: DeclaredAgreement, endpoint: Endpoint) =>
      refused('private', agreement, endpoint).message
    expect(said({ level, host: 'covered.example' }, server('x.example'))).toContain(
      'is none; the agreement that is declared is with covered.example:',
    )
    expect(said({ level }, server('x.example'))).toContain('is with no host by name')
    expect(said({ level: 'gated', host: 'x.example' }, server('x.example'))).not.toContain('declared is with')
    expect(said({ level: 'none', host: 'x.example' }, server('localhost'))).not.toContain('declared is with')
    expect(said({ level, host: 'x.example' }, { kind: 'nowhere' })).not.toContain('declared is with')
  })

  test('says that no agreement covers a line that others read.', () => {
    const open = refused('private', { level: 'private', host: 'x.example' }, server('x.example', false))
    expect(open.message).toContain('is none, as no agreement covers plain http to another machine:')
    expect(open.remedy).toMatch(
      /^Have m served by https, or lead it to a port of this machine through a tunnel\./,
    )
  })
})

const thrownBy = (action: () => void): ProblemError => {
  try {
    action()
  } catch (error) {
    return error as ProblemError
  }
  throw new Error('nothing was refused')
}

test('All refusals are thrown at once, with an exit code of their own.', () => {
  const targets = ['m', 'n'].map((name) => targetOf('private', deploymentOf(name)))
  const error = thrownBy(() => requireAgreements(targets, () => server('x.example')))
  expect(error).toMatchObject({ exitCode: 5, problems: [{ where: { file: 'models/m.yaml' } }, {}] })
  expect(() => requireAgreements(targets, () => ({ kind: 'process' }))).not.toThrow()
})

describe('Before each call the client itself is asked where it would send', () => {
  const benchmark = { name: 'wards', access: 'private' } as const
  const place = { host: 'x.example', address: 'x.example:443', isEncrypted: true }
  const send = (client: Partial<Client>, access: Access = 'private'): void =>
    requireAgreement(
      { ...benchmark, access },
      deploymentOf('m', { level: 'gated', host: 'x.example' }),
      client as Client,
    )

  test.each([
    ['a process of this machine', { local: true }, 'gated', true],
    ['nowhere', { local: false }, 'gated', false],
    ['a host that an agreement covers', { local: false, server: place }, 'gated', true],
    ['a host that it covers not far enough', { local: false, server: place }, 'private', false],
    ['another host', { local: false, server: { ...place, host: 'y.example' } }, 'gated', false],
    ['another host, public text', { local: false, server: { ...place, host: 'y.example' } }, 'public', true],
  ] as const)('%s', (_, client, access, isAllowed) => {
    if (isAllowed) expect(() => send(client, access)).not.toThrow()
    else expect(thrownBy(() => send(client, access))).toMatchObject({ exitCode: 5 })
  })

  test('and where it says nothing, no agreement with a host covers it.', () => {
    expect(thrownBy(() => send({ local: false }, 'gated')).message).toContain('m (at no known host) is none:')
  })
})
