import { builtInTexts, type TextSource } from "./example-texts.ts";
import type { TextMeaning } from "./meaning.ts";

type Make = () => unknown;

/** The part of `@faker-js/faker` that is used here. */
export interface Faker {
  seed(seed: number): unknown;
  readonly person: { readonly fullName: Make; readonly firstName: Make; readonly lastName: Make };
  readonly internet: { readonly username: Make };
  readonly company: { readonly name: Make };
  readonly location: {
    readonly streetAddress: Make;
    readonly city: Make;
    readonly country: Make;
    readonly countryCode: Make;
    readonly zipCode: Make;
  };
  readonly commerce: { readonly productName: Make };
  readonly lorem: { readonly sentence: Make; readonly word: Make };
}

/** Faker provides people, places and words. Hosts, keys and dates stay built in: they are reproducible and reserved for examples. */
const fakerGenerators: Partial<Readonly<Record<TextMeaning, (faker: Faker) => unknown>>> = {
  person: ({ person }) => person.fullName(),
  firstName: ({ person }) => person.firstName(),
  lastName: ({ person }) => person.lastName(),
  username: ({ internet }) => internet.username(),
  company: ({ company }) => company.name(),
  street: ({ location }) => location.streetAddress(),
  city: ({ location }) => location.city(),
  country: ({ location }) => location.country(),
  countryCode: ({ location }) => location.countryCode(),
  postcode: ({ location }) => location.zipCode(),
  title: ({ commerce }) => commerce.productName(),
  sentence: ({ lorem }) => lorem.sentence(),
  word: ({ lorem }) => lorem.word(),
};

export function fakerTexts(faker: Faker): TextSource {
  return {
    text(meaning, random) {
      const make = fakerGenerators[meaning];
      if (make === undefined) return builtInTexts.text(meaning, random);
      faker.seed(random.below(2 ** 31));
      return String(make(faker));
    },
  };
}
