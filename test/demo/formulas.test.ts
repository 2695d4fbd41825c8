import { describe, expect, test } from 'vitest'
import { alveolarArterialGradient } from './calculators/alveolar-arterial-gradient.ts'
import { anionGap } from './calculators/anion-gap.ts'
import { bodyMassIndex } from './calculators/body-mass-index.ts'
import { bodySurfaceArea } from './calculators/body-surface-area.ts'
import { ckdEpi2021 } from './calculators/ckd-epi-2021.ts'
import { cockcroftGault } from './calculators/cockcroft-gault.ts'
import { correctedCalcium } from './calculators/corrected-calcium.ts'
import { fractionalSodiumExcretion } from './calculators/fractional-sodium-excretion.ts'
import { idealBodyWeight } from './calculators/ideal-body-weight.ts'
import { ldlFriedewald } from './calculators/ldl-friedewald.ts'
import { maintenanceFluids } from './calculators/maintenance-fluids.ts'
import { meanArterialPressure } from './calculators/mean-arterial-pressure.ts'
import { meldNa } from './calculators/meld-na.ts'
import { meld } from './calculators/meld.ts'
import { qtcBazett } from './calculators/qtc-bazett.ts'
import { qtcFridericia } from './calculators/qtc-fridericia.ts'
import { serumOsmolality } from './calculators/serum-osmolality.ts'

describe('kidney function', () => {
  test('Cockcroft–Gault: (140 − 60) × 72 / (72 × 1.0) is 80, a woman gets 0.85 of it', () => {
    const patient = { age: 60, weight: 72, creatinine: 1 }
    expect(cockcroftGault({ ...patient, sex: 'male' })).toBeCloseTo(80, 10)
    expect(cockcroftGault({ ...patient, sex: 'female' })).toBeCloseTo(68, 10)
  })

  test('Cockcroft–Gault: a woman of 81 with 55 kg and 1.3 mg/dL has 29.5', () => {
    expect(cockcroftGault({ age: 81, weight: 55, creatinine: 1.3, sex: 'female' })).toBeCloseTo(29.468, 3)
  })

  test('CKD-EPI 2021 on both sides of the knee, for women and men', () => {
    expect(ckdEpi2021({ age: 60, creatinine: 1, sex: 'female' })).toBeCloseTo(64.495, 3)
    expect(ckdEpi2021({ age: 30, creatinine: 0.6, sex: 'female' })).toBeCloseTo(123.758, 3)
    expect(ckdEpi2021({ age: 50, creatinine: 1.2, sex: 'male' })).toBeCloseTo(73.674, 3)
    expect(ckdEpi2021({ age: 45, creatinine: 0.8, sex: 'male' })).toBeCloseTo(111.222, 3)
  })

  test('CKD-EPI 2021 at the knee leaves only the factors for age and sex', () => {
    expect(ckdEpi2021({ age: 40, creatinine: 0.9, sex: 'male' })).toBeCloseTo(142 * 0.9938 ** 40, 10)
    expect(ckdEpi2021({ age: 40, creatinine: 0.7, sex: 'female' })).toBeCloseTo(
      142 * 0.9938 ** 40 * 1.012,
      10,
    )
  })

  test('fractional excretion of sodium: 20 × 3.0 / (140 × 60) is 0.71 percent', () => {
    expect(
      fractionalSodiumExcretion({ urineSodium: 20, sodium: 140, urineCreatinine: 60, creatinine: 3 }),
    ).toBeCloseTo(0.714, 3)
  })
})

describe('body size', () => {
  test('body mass index: 70 kg at 175 cm is 22.9', () => {
    expect(bodyMassIndex(70, 175)).toBeCloseTo(22.857, 3)
  })

  test('Mosteller: 170 cm and 70 kg is 1.82 m²; 160 cm and 90 kg is the square root of 4', () => {
    expect(bodySurfaceArea(70, 170)).toBeCloseTo(1.818, 3)
    expect(bodySurfaceArea(90, 160)).toBe(2)
  })

  test('Devine: 70 inches make 73.0 kg for a man and 68.5 kg for a woman', () => {
    expect(idealBodyWeight(177.8, 'male')).toBeCloseTo(73, 10)
    expect(idealBodyWeight(177.8, 'female')).toBeCloseTo(68.5, 10)
  })

  test.each([
    [7, 28],
    [10, 40],
    [15, 50],
    [20, 60],
    [30, 70],
  ])('the 4-2-1 rule gives a child of %i kg %i mL an hour', (weight, rate) => {
    expect(maintenanceFluids(weight)).toBe(rate)
  })
})

describe('blood values', () => {
  test('calcium 8.0 mg/dL with albumin 2.0 g/dL corrects to 9.6, with normal albumin it stays', () => {
    expect(correctedCalcium(8, 2)).toBeCloseTo(9.6, 10)
    expect(correctedCalcium(9.1, 4)).toBe(9.1)
  })

  test('anion gap: 140 − (104 + 24) is 12', () => {
    expect(anionGap(140, 104, 24)).toBe(12)
  })

  test('osmolality: 2 × 140 + 90/18 + 14/2.8 is 290', () => {
    expect(serumOsmolality(140, 90, 14)).toBeCloseTo(290, 10)
  })

  test('Friedewald: 200 − 50 − 150/5 is 120', () => {
    expect(ldlFriedewald(200, 50, 150)).toBe(120)
  })

  test('A–a gradient: on room air 149.73 − 40/0.8 − 90 is 9.7, on half oxygen 356.5 − 62.5 − 80 is 214', () => {
    expect(alveolarArterialGradient(0.21, 40, 90)).toBeCloseTo(9.73, 10)
    expect(alveolarArterialGradient(0.5, 50, 80)).toBeCloseTo(214, 10)
  })
})

describe('heart and circulation', () => {
  test('at 60 beats a minute neither formula changes the QT', () => {
    expect(qtcBazett(400, 60)).toBe(400)
    expect(qtcFridericia(400, 60)).toBe(400)
  })

  test('400 ms at 75 a minute (RR 0.8 s) is 447 ms by Bazett and 431 ms by Fridericia', () => {
    expect(qtcBazett(400, 75)).toBeCloseTo(447.214, 3)
    expect(qtcFridericia(400, 75)).toBeCloseTo(430.887, 3)
  })

  test('mean arterial pressure: 120/80 mm Hg is 93.3', () => {
    expect(meanArterialPressure(120, 80)).toBeCloseTo(93.333, 3)
  })
})

describe('MELD', () => {
  test('bilirubin 2.0, INR 1.5 and creatinine 1.5 make 17.5 points', () => {
    expect(meld({ bilirubin: 2, inr: 1.5, creatinine: 1.5 })).toBeCloseTo(17.472, 3)
  })

  test('normal values count as 1.0 and leave the constant', () => {
    expect(meld({ bilirubin: 0.5, inr: 0.9, creatinine: 0.6 })).toBeCloseTo(6.43, 10)
  })

  test('creatinine counts up to 4.0 and points up to 40', () => {
    const values = { bilirubin: 2, inr: 1.2 }
    expect(meld({ ...values, creatinine: 9 })).toBe(meld({ ...values, creatinine: 4 }))
    expect(meld({ bilirubin: 40, inr: 6, creatinine: 4 })).toBe(40)
  })

  test('MELD-Na: 20 points and sodium 130 make 20 + 9.24 − 4.62', () => {
    expect(meldNa({ bilirubin: 4.2, inr: 1.2, creatinine: 1.9 }, 130)).toBeCloseTo(24.62, 10)
  })

  test('MELD-Na: sodium counts between 125 and 137 and not at all up to 11 points', () => {
    const values = { bilirubin: 4.2, inr: 1.2, creatinine: 1.9 }
    expect(meldNa(values, 120)).toBe(meldNa(values, 125))
    expect(meldNa(values, 145)).toBe(20)
    expect(meldNa({ bilirubin: 1, inr: 1, creatinine: 1 }, 125)).toBe(6)
  })
})
