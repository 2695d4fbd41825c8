import type { Calculator } from '../calculator.ts'
import { drawPerson } from '../person.ts'

/** m²; weight in kg, height in cm. */
export const bodySurfaceArea = (weight: number, height: number): number => Math.sqrt((height * weight) / 3600)

export const bodySurfaceAreaCalculator: Calculator = {
  id: 'body_surface_area',
  name: 'Body surface area (Mosteller)',
  citation: 'Mosteller RD. N Engl J Med 1987;317:1098',
  question: 'What is the body surface area by the Mosteller formula in m²? Give two decimals.',
  decimals: 2,
  draw: (draw) => {
    const { who, Who, He } = drawPerson(draw, 28, 79)
    const height = draw.whole(150, 192)
    const weight = draw.whole(45, 115)
    return {
      value: bodySurfaceArea(weight, height),
      vignettes: [
        `Chemotherapy is prescribed for ${who} who is ${height} cm tall and weighs ${weight} kg.`,
        `${Who} has an echocardiogram. The request form states a height of ${height} cm and a weight of ${weight} kg.`,
        `The burns unit admits ${who}. ${He} weighs ${weight} kg and measures ${height} cm.`,
      ],
    }
  },
}
