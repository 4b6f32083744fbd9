// The health check of the container: exits with 0 if the service answers. It runs on the image's Node.
const url = `http://127.0.0.1:${process.env.PORT || 8787}/health`;
const ok = await fetch(url).then(
  (reply) => reply.ok,
  () => false,
);
process.exitCode = ok ? 0 : 1;
