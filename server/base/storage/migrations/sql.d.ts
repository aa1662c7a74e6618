/** Migrations are bundled as texts. */
declare module "*.sql" {
  const text: string;
  export default text;
}
