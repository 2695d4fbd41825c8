import { expect, it } from 'vitest'
import { setUpBertScore } from '../../../tools/session/bert-score.ts'
import { BertScoreConfig } from '../../../tools/session/workspace/config.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it('an encoder that can not be used is opened once, however many runs ask for it', async () => {
  const names = { model: 'model.onnx', tokenizer: 'tokenizer.json', tokenizer_config: 'config.json' }
  const workspace = createWorkspace(Object.fromEntries(Object.values(names).map((name) => [name, '{'])))
  const config = BertScoreConfig.parse({
    layer: 1,
    ...Object.fromEntries(Object.entries(names).map(([key, path]) => [key, { path }])),
  })
  const setup = await setUpBertScore(config, benchmarkContext({ workspace }))
  const ask = (): Promise<unknown> => setup.scorer(memoryStore()).catch((error: unknown) => error)
  const first = await ask()
  expect(first).toBeInstanceOf(Error)
  expect(await ask()).toBe(first)
  await setup.close()
})
