import { lab, type Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** mmol/L, potassium left out; all in mmol/L. */
export const anionGap = (sodium: number, chloride: number, bicarbonate: number): number =>
  sodium - (chloride + bicarbonate)

export const anionGapCalculator: Calculator = {
  id: 'anion_gap',
  name: 'Serum anion gap',
  citation: 'Emmett M, Narins RG. Medicine (Baltimore) 1977;56:38-54',
  question: 'What is the serum anion gap in mmol/L, without potassium? Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who } = drawPerson(draw, 18, 76)
    const sodium = draw.whole(128, 146)
    const chloride = draw.whole(94, 108)
    const bicarbonate = draw.whole(8, 20)
    const potassium = draw.decimal(3.1, 5.8, 1)
    return {
      value: anionGap(sodium, chloride, bicarbonate),
      vignettes: [
        `${Who} with type 1 diabetes is vomiting and breathing deeply. Sodium is ${sodium}, potassium ${lab(potassium)}, chloride ${chloride} and bicarbonate ${bicarbonate} mmol/L.`,
        `${Who} was found drowsy at home. Laboratory values in mmol/L: sodium ${sodium}, chloride ${chloride}, bicarbonate ${bicarbonate}, potassium ${lab(potassium)}.`,
        `With sepsis and a raised lactate, ${who} has potassium ${lab(potassium)}, sodium ${sodium}, bicarbonate ${bicarbonate} and chloride ${chloride} mmol/L.`,
      ],
    }
  },
}
