declare module 'stopword' {
  type Words = readonly string[];
  export const ara: Words, cat: Words, ces: Words, dan: Words, eus: Words, fin: Words;
  export const hun: Words, hye: Words, ita: Words, nld: Words, nob: Words, por: Words;
  export const ron: Words, rus: Words, slv: Words, swe: Words, tur: Words;
}
