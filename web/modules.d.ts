// How esbuild resolves imports that are not code.
declare module "*.css";
declare module "*.svg" {
  const url: string;
  export default url;
}
declare module "*.png" {
  const url: string;
  export default url;
}
