import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.js";
import { handlers } from "./handlers.js";

@Module({})
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.create(AppModule, { bodyParser: false, logger: ["error"] });
  app.use(nodeListener(createServer(handlers)));
  await app.listen(Number(process.env["PORT"]));
}
void bootstrap();
