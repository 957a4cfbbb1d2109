CREATE TABLE "sealing_checks" (
	"id" integer PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL
);
