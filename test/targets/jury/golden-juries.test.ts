import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import { strip } from '../../../benchmarks/python/text.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { annotationOf, emptyAnnotation } from '../../../targets/jury/stored-judgements.ts'
import { judgePrompt } from '../../../targets/stages/judge.ts'
import { parseReply } from '../../../targets/jury/judge-scores.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { shared } from '../../rig/shared.ts'
import { goldenRuns, readGoldenRun } from '../metrics/golden-run.ts'

/** Golden folder → judge → the model that the chat server then saw. */
const FOLDERS = {
  'public-benchmarks': {
    gpt: 'gpt-4o-2024-05-13-odd',
    llama: 'llama-3.3-70b-instruct',
    claude: 'claude-3-7-sonnet-20250219',
  },
  'gated-and-private': {
    gpt: 'gpt-4o-2024-05-13-odd',
    llama: 'llama-3.3-70b-instruct-odd',
    claude: 'claude-3-7-sonnet-20250219',
  },
}

interface Template {
  readonly template: string
  readonly criteria: readonly string[]
}

type Ask = (model: string, prompt: string) => Promise<string>

/** Runs `use` with the chat server that answered HELM. */
const withServer = async (folder: string, use: (ask: Ask) => Promise<void>): Promise<void> => {
  const program = shared('tools/fake-llm.mjs') ?? ''
  const answers = shared(`golden/${folder}/answers.json`) ?? ''
  const server = spawn(process.execPath, [program, '--answers', answers], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
    const { url } = JSON.parse(line) as { url: string }
    await use(async (model, prompt) => {
      const messages = [{ role: 'user', content: prompt }]
      const body = JSON.stringify({ model, messages, temperature: 0, max_tokens: 4096 })
      const reply = await fetch(`${url}/chat/completions`, { method: 'POST', body })
      const parsed = (await reply.json()) as { choices: [{ message: { content: string } }] }
      return parsed.choices[0].message.content
    })
  } finally {
    server.kill()
  }
}

const protocol = shared('spec/medhelm-protocol.json')

const templates = (): Readonly<Record<string, Template>> =>
  (JSON.parse(readFileSync(protocol ?? '', 'utf8')) as { judge_templates: Record<string, Template> })
    .judge_templates

const annotate = async (
  { instance, result }: RequestState,
  { template, criteria }: Template,
  judges: Readonly<Record<string, string>>,
  ask: Ask,
): Promise<ReadonlyMap<string, PyValue>> => {
  const response = result?.completions[0]?.text ?? ''
  if (strip(response) === '') return emptyAnnotation()
  const gold = instance.references[0]?.text ?? ''
  const prompt = judgePrompt(template, { question: instance.input.text, response, gold })
  const keys = new Map(criteria.map((name) => [name, ['score', 'explanation']]))
  const judgements: [string, PyValue][] = []
  for (const [judge, model] of Object.entries(judges)) {
    const outcome = parseReply(await ask(model, prompt), keys)
    if (outcome.kind === 'done') judgements.push([judge, outcome.value])
  }
  return annotationOf(prompt, judgements)
}

describe.skipIf(protocol === undefined)('annotations made anew from the judges’ replies', () => {
  it.each([
    ['public-benchmarks', 320],
    ['gated-and-private', 112],
  ] as const)('equal HELM’s in %s', async (folder, expected) => {
    let compared = 0
    await withServer(folder, async (ask) => {
      for (const directory of goldenRuns(shared(`golden/${folder}`) ?? '')) {
        const name = /^\w+/.exec(basename(directory))?.[0] ?? ''
        const template = templates()[name]
        const run = template === undefined ? undefined : await readGoldenRun(directory)
        for (const state of run?.states ?? []) {
          const annotation = await annotate(state, template as Template, FOLDERS[folder], ask)
          expect(dumps(annotation)).toBe(dumps(state.annotations?.get(name) ?? null))
          compared++
        }
      }
    })
    expect(compared).toBe(expected)
  })
})
