CREATE TABLE "public_keys" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"assistant_id" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"key" text collate "C" NOT NULL,
	"origins" jsonb NOT NULL,
	"demo" boolean NOT NULL,
	"calls_at_once" integer NOT NULL,
	"minutes_per_day" integer NOT NULL,
	"minutes_per_call" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "public_key_id" text collate "C";--> statement-breakpoint
ALTER TABLE "public_keys" ADD CONSTRAINT "public_keys_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "public_keys" ADD CONSTRAINT "public_keys_assistant_id_assistants_id_fk" FOREIGN KEY ("assistant_id") REFERENCES "public"."assistants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "public_keys_key" ON "public_keys" USING btree ("key");--> statement-breakpoint
CREATE INDEX "public_keys_team" ON "public_keys" USING btree ("team_id","id");--> statement-breakpoint
CREATE INDEX "public_keys_assistant" ON "public_keys" USING btree ("assistant_id");--> statement-breakpoint
CREATE INDEX "calls_public_key" ON "calls" USING btree ("public_key_id","end_at") WHERE public_key_id is not null;