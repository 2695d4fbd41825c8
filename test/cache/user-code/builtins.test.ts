import { afterEach, expect, it } from 'vitest'
import { rememberBuiltins, restoreBuiltins } from '../../../cache/user-code/builtins.ts'

rememberBuiltins()
afterEach(() => void restoreBuiltins())

it.each([
  ['Math.max', () => void (Math.max = () => 0)],
  ['Date.now', () => void (Date.now = () => 0)],
  ['JSON.stringify', () => void (JSON.stringify = () => 'x')],
  ['Array.prototype.map', () => void Reflect.set(Array.prototype, 'map', () => [])],
  ['Promise', () => void Reflect.set(globalThis, 'Promise', Map)],
  ['Object.keys', () => void Reflect.deleteProperty(Object, 'keys')],
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

it('what code adds, and the numbers it draws, are its own', () => {
  const { random } = Math
  Math.random = () => 0.5
  Reflect.set(Array.prototype, 'ours', 1)
  expect(restoreBuiltins()).toEqual([])
  Math.random = random
  Reflect.deleteProperty(Array.prototype, 'ours')
})
