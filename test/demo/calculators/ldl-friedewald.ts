import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** LDL cholesterol in mg/dL; all in mg/dL, triglycerides below 400. */
export const ldlFriedewald = (total: number, hdl: number, triglycerides: number): number =>
  total - hdl - triglycerides / 5

export const ldlFriedewaldCalculator: Calculator = {
  id: 'ldl_friedewald',
  name: 'LDL cholesterol (Friedewald)',
  citation: 'Friedewald WT, Levy RI, Fredrickson DS. Clin Chem 1972;18:499-502',
  question: 'What is the LDL cholesterol by the Friedewald formula in mg/dL? Give a whole number.',
  decimals: 0,
  draw: (draw) => {
    const { who, Who, his } = drawPerson(draw, 29, 77)
    const hdl = draw.whole(31, 68)
    const triglycerides = draw.whole(72, 318)
    const total = hdl + Math.round(triglycerides / 5) + draw.whole(58, 182)
    return {
      value: ldlFriedewald(total, hdl, triglycerides),
      vignettes: [
        `A fasting lipid profile of ${who} shows total cholesterol ${total}, HDL ${hdl} and triglycerides ${triglycerides} mg/dL.`,
        `${Who} has taken a statin for three months. Fasting values in mg/dL: triglycerides ${triglycerides}, HDL ${hdl}, total cholesterol ${total}.`,
        `${Who} wants to know ${his} cardiovascular risk. HDL is ${hdl} mg/dL, total cholesterol ${total} mg/dL and fasting triglycerides ${triglycerides} mg/dL.`,
      ],
    }
  },
}
