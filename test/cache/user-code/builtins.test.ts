import fs, { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, it, vi } from 'vitest'

// Once a test of another file had texts withheld in this process, names that code gives are, too.
vi.resetModules()
const { rememberBuiltins, restoreBuiltins } = await import('../../../cache/user-code/guards.ts')
const { awaited, boundedCall } = await import('../../../cache/user-code/bounded-call.ts')

rememberBuiltins()
afterEach(() => void restoreBuiltins())

it.each([
  ['Math.max', () => void (Math.max = () => 0)],
  ['Date.now', () => void (Date.now = () => 0)],
  ['JSON.stringify', () => void (JSON.stringify = () => 'x')],
  ['Array.prototype.map', () => void Reflect.set(Array.prototype, 'map', () => [])],
  ['Promise', () => void Reflect.set(globalThis, 'Promise', Map)],
  ['Object.keys', () => void Reflect.deleteProperty(Object, 'keys')],
  ['RegExp.prototype[Symbol.replace]', () => void Reflect.set(RegExp.prototype, Symbol.replace, () => 'x')],
  [
    'Array.prototype[Symbol.iterator]',
    () => void Reflect.set(Array.prototype, Symbol.iterator, () => new Map().keys()),
  ],
  [
    'Array Iterator.next',
    () => void Reflect.set(Reflect.getPrototypeOf([].values()) ?? {}, 'next', () => ({ done: true })),
  ],
  [
    'TypedArray.set',
    () => void Reflect.set(Reflect.getPrototypeOf(Uint8Array.prototype) ?? {}, 'set', () => undefined),
  ],
  ['Buffer', () => void Reflect.set(globalThis, 'Buffer', undefined)],
  ['setTimeout', () => void Reflect.set(globalThis, 'setTimeout', () => undefined)],
  ['process', () => void Reflect.set(globalThis, 'process', undefined)],
  ['Intl', () => void Reflect.set(globalThis, 'Intl', {})],
  ['performance', () => void Reflect.set(globalThis, 'performance', undefined)],
  ['structuredClone', () => void Reflect.set(globalThis, 'structuredClone', () => 1)],
  ['process.nextTick', () => void Reflect.set(process, 'nextTick', () => undefined)],
  [
    'fs.writeFileSync',
    () => {
      fs.writeFileSync = () => undefined
      syncBuiltinESMExports()
    },
  ],
  ['fs.promises.rename', () => void (fs.promises.rename = async () => undefined)],
  ['Object.prototype.text', () => void Reflect.set(Object.prototype, 'text', 'on all objects')],
  ['Object.prototype.get', () => void Reflect.set(Object.prototype, 'get', () => 1)],
  ['Map.prototype.size', () => void Reflect.defineProperty(Map.prototype, 'size', { get: () => 0 })],
])('%s that was replaced is put back and named', (name, replace) => {
  expect(restoreBuiltins()).toEqual([])
  replace()
  expect(restoreBuiltins()).toEqual([name])
  expect(restoreBuiltins()).toEqual([])
  expect([Math.max(1, 2), [1].map(String), JSON.stringify(1), Object.keys({ a: 1 })]).toEqual([
    2,
    ['1'],
    '1',
    ['a'],
  ])
})

it('what a call replaced is put back before anything else is reckoned, and told of in the end', () => {
  expect(
    boundedCall('a metric', () => {
      Reflect.set(RegExp.prototype, Symbol.replace, () => 'nonsense')
      return 'fever'.replace(/f/, 'n')
    }),
  ).toBe('nonsense')
  expect('fever'.replace(/f/, 'n')).toBe('never')
  const broken = (): void => {
    Math.max = () => 0
    throw new Error('its own')
  }
  expect(() => boundedCall('a metric', broken)).toThrow('its own')
  expect(Math.max(1, 2)).toBe(2)
  expect(restoreBuiltins()).toEqual(['RegExp.prototype[Symbol.replace]', 'Math.max'])
})

it('what code replaced while it was awaited is put back when it comes', async () => {
  const later = async (): Promise<string> => {
    await Promise.resolve()
    JSON.stringify = () => 'nonsense'
    return 'its answer'
  }
  expect(await awaited('later.js', later())).toBe('its answer')
  expect(JSON.stringify(1)).toBe('1')
  expect(restoreBuiltins()).toEqual(['JSON.stringify'])
})

it('what is replaced at each call is told once, and what is another name at each not without end', () => {
  for (let call = 0; call < 300; call += 1)
    boundedCall('a metric', () => {
      Math.max = () => call
      Reflect.set(Object.prototype, `own${call}`, call)
    })
  const names = restoreBuiltins()
  expect(names.filter((name) => name === 'Math.max')).toHaveLength(1)
  expect(names).toHaveLength(100)
})

it('what code adds, and the numbers it draws, are its own', () => {
  const { random } = Math
  Math.random = () => 0.5
  Reflect.set(Array.prototype, 'ours', 1)
  expect(restoreBuiltins()).toEqual([])
  Math.random = random
  Reflect.deleteProperty(Array.prototype, 'ours')
})

it('What was imported of node:fs by name is put back, too, and what graceful-fs replaces is let be', () => {
  const own = fs.writeFileSync
  fs.writeFileSync = () => undefined
  syncBuiltinESMExports()
  restoreBuiltins()
  expect([fs.writeFileSync, writeFileSync]).toEqual([own, own])
  const { closeSync } = fs
  fs.closeSync = (file) => closeSync(file)
  expect(restoreBuiltins()).toEqual([])
  fs.closeSync = closeSync
})
