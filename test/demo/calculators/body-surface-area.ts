import { wording, type Calculator } from '../calculator.ts'
import { capitalised, drawPerson, withArticle } from '../person.ts'

/** m²; weight in kg, height in cm. */
export const bodySurfaceArea = (weight: number, height: number): number => Math.sqrt((height * weight) / 3600)

export const bodySurfaceAreaCalculator: Calculator = {
  id: 'body_surface_area',
  name: 'Body surface area (Mosteller)',
  citation: 'Mosteller RD. N Engl J Med 1987;317:1098',
  question: 'What is the body surface area by the Mosteller formula in m²? Give two decimals.',
  decimals: 2,
  draw: (draw, index) => {
    const person = drawPerson(draw, 28, 79)
    const height = draw.whole(150, 192)
    const weight = draw.whole(45, 115)
    const who = withArticle(person.who)
    const vignette = wording(
      [
        `Chemotherapy is prescribed for ${who} who is ${height} cm tall and weighs ${weight} kg.`,
        `${capitalised(who)} has an echocardiogram. The request form states a height of ${height} cm and a weight of ${weight} kg.`,
        `The burns unit admits ${who}. ${person.He} weighs ${weight} kg and measures ${height} cm.`,
      ],
      index,
    )
    return { vignette, value: bodySurfaceArea(weight, height) }
  },
}
