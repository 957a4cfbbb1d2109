CREATE TABLE "call_checkpoints" (
	"call_id" text collate "C" PRIMARY KEY NOT NULL,
	"seq" integer NOT NULL,
	"engine_version" text NOT NULL,
	"data" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "call_checkpoints" ADD CONSTRAINT "call_checkpoints_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;