CREATE TABLE "test_runs" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"suite_id" text collate "C",
	"assistant_id" text collate "C" NOT NULL,
	"by" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"source" text NOT NULL,
	"seed" integer NOT NULL,
	"budget" jsonb NOT NULL,
	"judge" jsonb,
	"estimate" jsonb NOT NULL,
	"summary" jsonb NOT NULL,
	"results" json DEFAULT '[]'::json NOT NULL,
	"cost" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "test_suites" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"config" jsonb NOT NULL,
	"tests" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "test_runs" ADD CONSTRAINT "test_runs_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_runs" ADD CONSTRAINT "test_runs_suite_id_test_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."test_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_suites" ADD CONSTRAINT "test_suites_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "test_runs_team" ON "test_runs" USING btree ("team_id","id");--> statement-breakpoint
CREATE INDEX "test_runs_suite" ON "test_runs" USING btree ("suite_id","id");--> statement-breakpoint
CREATE INDEX "test_suites_team" ON "test_suites" USING btree ("team_id","id");