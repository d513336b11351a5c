/** Default token, a placeholder that everybody knows (specification, part 5). */
export const developmentToken = 'development-only-token'

/** True for the development token in production. */
export const isRefusedToken = (token: string, isProduction: boolean): boolean =>
  isProduction && token === developmentToken
