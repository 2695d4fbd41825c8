import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseFiles, findModelFiles } from '../../../models/local/model-files.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeTinyLlama } from '../../rig/tiny-llama.ts'

const NAMES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'README.md', 'model.safetensors']

test('a model is its settings, its tokenizer and one ONNX file with its data', () => {
  const names = [
    ...NAMES,
    'generation_config.json',
    'onnx/model.onnx',
    'onnx/model.onnx_data',
    'onnx/model.onnx_data_1',
    'onnx/model_q4.onnx',
    'onnx/model_q4.onnx_data',
  ]
  expect(chooseFiles(names, undefined).all).toEqual([
    'config.json',
    'generation_config.json',
    'onnx/model.onnx',
    'onnx/model.onnx_data',
    'onnx/model.onnx_data_1',
    'tokenizer.json',
    'tokenizer_config.json',
  ])
  expect(chooseFiles(names, 'onnx/model_q4.onnx').all.filter((name) => name.startsWith('onnx/'))).toEqual([
    'onnx/model_q4.onnx',
    'onnx/model_q4.onnx_data',
  ])
})

test('the only ONNX file is meant, of several none unless it is called model.onnx', () => {
  expect(chooseFiles([...NAMES, 'onnx/model_q4.onnx'], undefined).model).toBe('onnx/model_q4.onnx')
  expect(chooseFiles([...NAMES, 'a.onnx', 'b.onnx'], undefined)).not.toHaveProperty('model')
  expect(chooseFiles([...NAMES, 'a.onnx', 'b.onnx'], 'c.onnx')).not.toHaveProperty('model')
})

test('a folder that lacks files gets an error that names them', async () => {
  const folder = join(temporaryFolder(), 'model')
  expect(await problemOf(() => findModelFiles(folder))).toMatchObject({
    code: 'models/local-file',
    message: "the model's folder lacks config.json, tokenizer.json, tokenizer_config.json, onnx/model.onnx",
    where: { file: folder },
  })
  writeTinyLlama(folder)
  rmSync(join(folder, 'tokenizer.json'))
  expect((await problemOf(() => findModelFiles(folder)))?.message).toBe(
    "the model's folder lacks tokenizer.json",
  )
  expect((await problemOf(() => findModelFiles(folder, 'onnx/model_q4.onnx')))?.remedy).toContain(
    'onnx/model.onnx',
  )
})

test('several ONNX files are offered by name', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'onnx'))
  for (const name of [...NAMES, 'onnx/model_q4.onnx', 'onnx/model_fp16.onnx'])
    writeFileSync(join(folder, name), '{}')
  const problem = await problemOf(() => findModelFiles(folder))
  expect(problem?.message).toContain('2 ONNX files')
  expect(problem?.remedy).toBe('Name one in args: file: onnx/model_fp16.onnx, onnx/model_q4.onnx.')
})
