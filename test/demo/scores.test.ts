import { describe, expect, test } from 'vitest'
import { centor } from './calculators/centor.ts'
import { cha2ds2Vasc } from './calculators/cha2ds2-vasc.ts'
import { childPugh } from './calculators/child-pugh.ts'
import { curb65 } from './calculators/curb-65.ts'
import { glasgowComaScale } from './calculators/glasgow-coma-scale.ts'
import { hasBled } from './calculators/has-bled.ts'
import { wellsPulmonaryEmbolism } from './calculators/wells-pulmonary-embolism.ts'

describe('Child–Pugh', () => {
  test('the best values make 5 points and the worst 15', () => {
    const best = { bilirubin: 1, albumin: 4, inr: 1, ascites: 0, encephalopathy: 0 } as const
    const worst = { bilirubin: 4, albumin: 2.5, inr: 2.5, ascites: 2, encephalopathy: 2 } as const
    expect(childPugh(best)).toBe(5)
    expect(childPugh(worst)).toBe(15)
  })

  test('the limits of a middle band belong to it', () => {
    const patient = { ascites: 1, encephalopathy: 1 } as const
    expect(childPugh({ ...patient, bilirubin: 2, albumin: 3.5, inr: 1.7 })).toBe(10)
    expect(childPugh({ ...patient, bilirubin: 3, albumin: 2.8, inr: 2.3 })).toBe(10)
  })
})

describe('CHA₂DS₂-VASc', () => {
  const nothing = {
    heartFailure: false,
    hypertension: false,
    diabetes: false,
    stroke: false,
    vascularDisease: false,
  }

  test.each([
    [64, 'male', 0],
    [65, 'male', 1],
    [74, 'female', 2],
    [75, 'female', 3],
  ] as const)('age %i alone, %s, makes %i', (age, sex, points) => {
    expect(cha2ds2Vasc({ ...nothing, age, sex })).toBe(points)
  })

  test('stroke counts twice, and everything together makes 9', () => {
    expect(cha2ds2Vasc({ ...nothing, age: 50, sex: 'male', stroke: true })).toBe(2)
    const all = {
      heartFailure: true,
      hypertension: true,
      diabetes: true,
      stroke: true,
      vascularDisease: true,
    }
    expect(cha2ds2Vasc({ ...all, age: 80, sex: 'female' })).toBe(9)
  })
})

describe('HAS-BLED', () => {
  const nothing = {
    kidneyDisease: false,
    liverDisease: false,
    stroke: false,
    bleeding: false,
    labileInr: false,
    antiplatelet: false,
    alcohol: false,
  }

  test('counts pressure above 160 and age above 65 only', () => {
    expect(hasBled({ ...nothing, age: 65, systolic: 160 })).toBe(0)
    expect(hasBled({ ...nothing, age: 66, systolic: 161 })).toBe(2)
  })

  test('everything together makes 9', () => {
    const all = Object.fromEntries(Object.keys(nothing).map((key) => [key, true])) as Record<
      keyof typeof nothing,
      boolean
    >
    expect(hasBled({ ...all, age: 80, systolic: 180 })).toBe(9)
  })
})

describe('CURB-65', () => {
  const well = { confused: false, urea: 5, respiratoryRate: 18, systolic: 120, diastolic: 75, age: 50 }

  test.each([
    [{}, 0],
    [{ urea: 7 }, 0],
    [{ urea: 7.1 }, 1],
    [{ respiratoryRate: 30 }, 1],
    [{ systolic: 89 }, 1],
    [{ systolic: 90 }, 0],
    [{ diastolic: 60 }, 1],
    [{ systolic: 80, diastolic: 40 }, 1],
    [{ age: 65 }, 1],
    [{ confused: true, urea: 9, respiratoryRate: 32, systolic: 85, age: 80 }, 5],
  ])('%j makes %i', (changes, points) => {
    expect(curb65({ ...well, ...changes })).toBe(points)
  })
})

describe('Wells score for pulmonary embolism', () => {
  const nothing = {
    legSigns: false,
    mostLikely: false,
    heartRate: 100,
    immobile: false,
    previous: false,
    haemoptysis: false,
    cancer: false,
  }

  test('a heart rate of 100 does not count, one of 101 makes 1.5', () => {
    expect(wellsPulmonaryEmbolism(nothing)).toBe(0)
    expect(wellsPulmonaryEmbolism({ ...nothing, heartRate: 101 })).toBe(1.5)
  })

  test('a swollen leg, surgery and coughed-up blood make 5.5; everything makes 12.5', () => {
    expect(wellsPulmonaryEmbolism({ ...nothing, legSigns: true, immobile: true, haemoptysis: true })).toBe(
      5.5,
    )
    const all = {
      legSigns: true,
      mostLikely: true,
      immobile: true,
      previous: true,
      haemoptysis: true,
      cancer: true,
    }
    expect(wellsPulmonaryEmbolism({ ...all, heartRate: 120 })).toBe(12.5)
  })
})

describe('Centor', () => {
  test('the absence of a cough counts', () => {
    expect(centor({ exudate: false, nodes: false, fever: false, cough: true })).toBe(0)
    expect(centor({ exudate: false, nodes: false, fever: false, cough: false })).toBe(1)
    expect(centor({ exudate: true, nodes: true, fever: true, cough: false })).toBe(4)
  })
})

describe('Glasgow Coma Scale', () => {
  test('runs from 3 to 15', () => {
    expect(glasgowComaScale(0, 0, 0)).toBe(15)
    expect(glasgowComaScale(3, 4, 5)).toBe(3)
  })

  test('eyes to voice 3, confused 4, obeying 6 make 13', () => {
    expect(glasgowComaScale(1, 1, 0)).toBe(13)
  })
})
