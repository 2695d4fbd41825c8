import { lab, type Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** Percent; sodium in mmol/L, creatinine in mg/dL, each in urine and in blood. */
export const fractionalSodiumExcretion = (values: {
  urineSodium: number
  sodium: number
  urineCreatinine: number
  creatinine: number
}): number => (100 * values.urineSodium * values.creatinine) / (values.sodium * values.urineCreatinine)

export const fractionalSodiumExcretionCalculator: Calculator = {
  id: 'fractional_sodium_excretion',
  name: 'Fractional excretion of sodium',
  citation: 'Espinel CH. JAMA 1976;236:579-581',
  question: 'What is the fractional excretion of sodium in percent? Give one decimal.',
  decimals: 1,
  draw: (draw) => {
    const { who, Who, his } = drawPerson(draw, 36, 84)
    const urineSodium = draw.whole(8, 74)
    const sodium = draw.whole(129, 145)
    const urineCreatinine = draw.whole(28, 140)
    const creatinine = draw.decimal(1.6, 4.8, 1)
    return {
      value: fractionalSodiumExcretion({ urineSodium, sodium, urineCreatinine, creatinine }),
      vignettes: [
        `${Who} passes little urine after an operation. Blood: sodium ${sodium} mmol/L, creatinine ${lab(creatinine)} mg/dL. Urine: sodium ${urineSodium} mmol/L, creatinine ${urineCreatinine} mg/dL.`,
        `The kidneys of ${who} fail after several days of vomiting. Urine sodium is ${urineSodium} mmol/L and urine creatinine ${urineCreatinine} mg/dL; serum sodium is ${sodium} mmol/L and serum creatinine ${lab(creatinine)} mg/dL.`,
        `${Who} in intensive care has a rising serum creatinine of ${lab(creatinine)} mg/dL with a serum sodium of ${sodium} mmol/L. A urine sample of ${his} shows creatinine ${urineCreatinine} mg/dL and sodium ${urineSodium} mmol/L. No diuretics were given.`,
      ],
    }
  },
}
